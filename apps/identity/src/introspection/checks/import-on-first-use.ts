import { isInRanges } from '@bearing/access/address-ranges'
import { OperationError } from '@bearing/contracts/errors'
import { PROJECT_KEY_GRACE_SECONDS } from '@bearing/contracts/primitives'
import { currentCall } from '@bearing/nats/call-context'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { Database, isUniqueViolation, type Transaction } from '../../ground/database.js'
import { ReplaceProjectKey } from '../../organizations/project-keys/replace-project-key.js'
import { requireUnusedKey } from '../../organizations/project-keys/require-unused-key.js'

/** Imports project keys when a device first sends one from the network that an admin has named. */
@Injectable()
export class ImportOnFirstUse {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly replace: ReplaceProjectKey,
  ) {}

  /** Returns whether an unknown key may be a project's key now: look it up again. */
  async execute(key: string): Promise<boolean> {
    const pending = { key, expiresAt: { gt: this.clock.now() } }
    const row = await this.database.projectKeyImport.findUnique({ where: pending })
    const address = currentCall()?.clientAddress
    // Another request may have imported it since the key was looked up.
    if (row === null) return true
    if (row.network === null || address === undefined || !isInRanges(address, [row.network])) return false
    const { organizationId: organization_id, projectId: project_id } = row
    try {
      await this.replace.execute({
        input: { organization_id, project_id, grace_seconds: PROJECT_KEY_GRACE_SECONDS },
        by: { kind: 'service', name: 'identity' },
        key,
        action: 'project_key.imported',
        allow: async (transaction) => {
          await takePending(transaction, pending)
          await requireUnusedKey(transaction, key)
        },
      })
    } catch (error) {
      // Another request was first, or the import was withdrawn.
      if (
        !(error instanceof OperationError && error.code === 'project_key_taken') &&
        !isUniqueViolation(error)
      )
        throw error
    }
    return true
  }
}

/** One request deletes it; others find nothing. */
async function takePending(
  transaction: Transaction,
  where: { readonly key: string; readonly expiresAt: { readonly gt: Date } },
): Promise<void> {
  const { count } = await transaction.projectKeyImport.deleteMany({ where })
  if (count === 0) throw new OperationError('project_key_taken', 'The import is no longer pending.')
}
