import { OperationError } from '@bearing/contracts/errors'
import { importProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { isUniqueViolation, type Transaction } from '../../ground/database.js'
import { ReplaceProjectKey } from './replace-project-key.js'

@Controller()
export class ImportProjectKey {
  constructor(private readonly replace: ReplaceProjectKey) {}

  @Handle(importProjectKey)
  async execute(
    input: Input<typeof importProjectKey>,
    by: Principal,
  ): Promise<Output<typeof importProjectKey>> {
    const { api_key: key } = input
    const allow = (transaction: Transaction) => requireUnused(transaction, key)
    try {
      const found = await this.replace.execute({ input, by, key, action: 'project_key.imported', allow })
      if (found.api_key === key) return found
    } catch (error) {
      if (isUniqueViolation(error)) throw taken()
      throw error
    }
    throw new OperationError('overloaded', 'The key was cycled at the same moment. Import it again.', {
      retry_after: 1,
    })
  }
}

/** By one statement, so that a key which is being replaced at the moment is in one of the two tables. */
async function requireUnused(transaction: Transaction, key: string): Promise<void> {
  const used = await transaction.$queryRaw<unknown[]>`
    SELECT FROM project_keys WHERE key = ${key} UNION ALL SELECT FROM replaced_project_keys WHERE key = ${key}`
  if (used.length > 0) throw taken()
}

function taken(): OperationError {
  return new OperationError(
    'project_key_taken',
    'The key is already one of a project of this installation. Cycle that project first, without a grace period, or give the devices another key.',
  )
}
