import { cycleProjectKey, importProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { OperationError } from '@bearing/contracts/errors'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Clock } from '@bearing/service/ground/clock'
import { Database, isUniqueViolation, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { Randomness } from '@bearing/service/ground/randomness'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { deleteEndedUses } from './delete-ended-uses.js'
import { newProjectKey, shown, toProjectKey } from './project-key-row.js'
import { projectNotFound } from '../../organizations/project-members/project-scope.js'

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

@Controller()
export class CycleProjectKey {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Of two concurrent cycles one replaces the key, and both return the new one. The shorter grace period counts. */
  @Handle(cycleProjectKey)
  execute(input: Input<typeof cycleProjectKey>, by: Principal): Promise<Output<typeof cycleProjectKey>> {
    const allow = (transaction: Transaction) => requireManager(transaction, by, input, 'project-key:cycle')
    const key = newProjectKey(this.randomness.bytes)
    return this.replace({ input, by, key, action: 'project_key.cycled', allow })
  }

  @Handle(importProjectKey)
  async import(
    input: Input<typeof importProjectKey>,
    by: Principal,
  ): Promise<Output<typeof importProjectKey>> {
    const { api_key: key } = input
    const allow = (transaction: Transaction) => requireUnused(transaction, key)
    try {
      const found = await this.replace({ input, by, key, action: 'project_key.imported', allow })
      if (found.api_key === key) return found
    } catch (error) {
      if (isUniqueViolation(error)) throw taken()
      throw error
    }
    throw new OperationError('overloaded', 'The key was cycled at the same moment. Import it again.', {
      retry_after: 1,
    })
  }

  private async replace({
    input,
    by,
    key,
    action,
    allow,
  }: Replacement): Promise<Output<typeof cycleProjectKey>> {
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
