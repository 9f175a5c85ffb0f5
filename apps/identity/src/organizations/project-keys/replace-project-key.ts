import type { cycleProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { projectNotFound } from '../project-members/project-scope.js'
import { deleteEndedUses } from './delete-ended-uses.js'
import { shown, toProjectKey } from './project-key-row.js'

interface Before {
  readonly id: string
  readonly projectId: string
  readonly key: string
  readonly createdAt: Date
}

interface Replacement {
  readonly input: Input<typeof cycleProjectKey>
  readonly by: Principal
  readonly key: string
  readonly action: 'project_key.cycled' | 'project_key.imported'
  /** @throws OperationError if the caller may not replace the key, or not by this one */
  readonly allow: (transaction: Transaction) => Promise<unknown>
}

/** Replaces keys of projects. */
@Injectable()
export class ReplaceProjectKey {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Of two concurrent calls one replaces the key, and both return the new one. The shorter grace period counts. */
  async execute(replacement: Replacement): Promise<Output<typeof cycleProjectKey>> {
    const { input, by, key, action, allow } = replacement
    const project = { projectId: input.project_id, organizationId: input.organization_id }
    const before = await this.database.projectKey.findUnique({
      where: project,
      select: { id: true, projectId: true, key: true, createdAt: true },
    })
    if (!before) throw projectNotFound()
    const now = this.clock.now()
    const after = { id: this.randomness.newId(), key, createdAt: now }
    const graceEnd = new Date(now.getTime() + input.grace_seconds * 1_000)
    const row = await this.database.transaction(async (transaction) => {
      await allow(transaction)
      const { count } = await transaction.projectKey.updateMany({
        where: { ...project, id: before.id },
        data: after,
      })
      const shortened = await retire(transaction, before, count > 0, now, graceEnd)
      await deleteEndedUses(transaction, project.projectId)
      if (count > 0 || shortened > 0)
        recordAudit(transaction, by, {
          action: count > 0 ? action : 'project_key.grace_shortened',
          target: ['project_key', count > 0 ? after.id : before.id],
          organizationId: project.organizationId,
          details: {
            project_id: project.projectId,
            ...(count > 0 && { replaced: before.id }),
            grace_seconds: input.grace_seconds,
          },
        })
      recordCredentialChange(transaction, `project:${project.projectId}`)
      return transaction.projectKey.findUnique({ where: project, select: shown(now) })
    })
    if (!row) throw projectNotFound()
    return toProjectKey(row, now)
  }
}

/**
 * Deletes keys whose grace period ends now, and starts that of the replaced key; the second of two cycles can only shorten it.
 *
 * @returns how many keys expire earlier than before
 */
async function retire(
  transaction: Transaction,
  before: Before,
  isFirst: boolean,
  now: Date,
  graceEnd: Date,
): Promise<number> {
  const hasGrace = graceEnd > now
  const ended = await transaction.replacedProjectKey.deleteMany({
    where: { projectId: before.projectId, ...(hasGrace && { expiresAt: { lte: now } }) },
  })
  if (!hasGrace) return ended.count
  if (isFirst) {
    await transaction.replacedProjectKey.create({ data: { ...before, expiresAt: graceEnd } })
    return 0
  }
  const shortened = await transaction.replacedProjectKey.updateMany({
    where: { id: before.id, expiresAt: { gt: graceEnd } },
    data: { expiresAt: graceEnd },
  })
  return shortened.count
}
