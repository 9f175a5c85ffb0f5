import { OperationError } from '@bearing/contracts/errors'
import {
  organizationDeleted,
  organizationRestored,
  projectDeleted,
  projectRestored,
  type Deletion,
} from '@bearing/contracts/management/tenancy/deletion'
import type { Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { recordEvent } from '@bearing/service/store/transactions'
import { Inject, Injectable } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'
import { lockOrganizations, lockProject } from '../../ground/locks.js'
import { recordAudit } from '../../ground/record-audit.js'
import { projectNotFound } from '../../tenancy/projects/require-project.js'
import { ConfirmDeletion } from './confirm-deletion.js'
import { deletionNotFound, findOpen, toDeletion, type Tenant } from './deletion-row.js'
import { DELETION_SETTINGS, type DeletionSettings } from './deletion-settings.js'
import { DeletionJob } from './deletion-job.js'
import { startErasure } from './start-erasure.js'

/** After this time the job confirms a deletion whose process has died, in milliseconds. */
const CONFIRM_AGAIN_MS = 2_000

/** Deletes, restores and erases organizations and projects. */
@Injectable()
export class Deletions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly confirmation: ConfirmDeletion,
    private readonly job: DeletionJob,
    @Inject(DELETION_SETTINGS) private readonly settings: DeletionSettings,
  ) {}

  /** @throws OperationError `project_not_found` */
  async project(organizationId: string, slug: string): Promise<ProjectTenant> {
    const found = await this.findProject(organizationId, slug)
    if (!found) throw projectNotFound()
    return found
  }

  /** @throws OperationError `deletion_not_found` */
  async deletedProject(organizationId: string, slug: string): Promise<ProjectTenant> {
    const found = await this.findProject(organizationId, slug)
    if (!found) throw deletionNotFound()
    return found
  }

  /** Marks the tenant as deleted, then stops its credentials. If identity does not answer, the job repeats that. */
  async delete(tenant: Tenant, by: Principal): Promise<Deletion> {
    const row = await this.database.transaction(async (transaction) => {
      const { slug, name, deletedAt } = await lockTenant(transaction, tenant)
      const known = deletedAt && (await findOpen(transaction, tenant))
      if (known) return known
      const now = this.clock.now()
      await setDeletedAt(transaction, tenant, now)
      const created = await transaction.deletion.create({
        data: {
          id: this.randomness.newId(),
          ...tenant,
          ...{ slug, name, state: 'deleted', deletedAt: now },
          eraseAfter: new Date(now.getTime() + this.settings.keptMs),
          nextAttemptAt: new Date(now.getTime() + CONFIRM_AGAIN_MS),
        },
      })
      record(transaction, by, tenant, 'deleted', { slug, erase_after: created.eraseAfter.toISOString() })
      return created
    })
    return toDeletion(await this.confirmation.attempt(row))
  }

  /** @throws OperationError `deletion_not_found` or `erasure_started` */
  async restore(
    tenant: Tenant,
    by: Principal,
  ): Promise<{ readonly slug: string; readonly restoredAt: Date }> {
    const now = this.clock.now()
    const row = await this.database.transaction(async (transaction) => {
      await lockTenant(transaction, tenant)
      const open = await findOpen(transaction, tenant)
      if (!open) throw deletionNotFound()
      if (open.state === 'erasing') throw erasureStarted()
      await setDeletedAt(transaction, tenant, null)
      const nextAttemptAt = new Date(now.getTime() + CONFIRM_AGAIN_MS)
      await transaction.$executeRaw`
        UPDATE deletions SET state = 'restored', version = nextval('deletions_version_seq'),
          next_attempt_at = ${nextAttemptAt} WHERE id = ${open.id}::uuid`
      record(transaction, by, tenant, 'restored', { slug: open.slug })
      return transaction.deletion.findUniqueOrThrow({ where: { id: open.id } })
    })
    await this.confirmation.attempt(row)
    return { slug: row.slug ?? '', restoredAt: now }
  }

  /**
   * Starts the erasure of a deleted tenant.
   *
   * @param slug repeats its slug, as confirmation
   * @throws OperationError `deletion_not_found`; `invalid_input` if the slug is another one
   */
  async eraseNow(tenant: Tenant, slug: string, by: Principal): Promise<Deletion> {
    const row = await this.database.transaction(async (transaction) => {
      const open = await startErasure(transaction, tenant, by, this.clock.now(), slug)
      if (!open) throw deletionNotFound()
      return open
    })
    this.job.kick()
    return toDeletion(row)
  }

  /** @throws OperationError `deletion_not_found` */
  async show(tenant: Tenant): Promise<Deletion> {
    const row = await findOpen(this.database, tenant)
    if (!row) throw deletionNotFound()
    return toDeletion(row)
  }

  private async findProject(organizationId: string, slug: string): Promise<ProjectTenant | undefined> {
    const where = { organizationId_slug: { organizationId, slug } }
    const row = await this.database.project.findUnique({ where, select: { id: true } })
    return row ? { organizationId, projectId: row.id } : undefined
  }
}

type ProjectTenant = Tenant & { readonly projectId: string }

/** @throws OperationError `organization_not_found` or `project_not_found` */
async function lockTenant(transaction: Transaction, { organizationId, projectId }: Tenant) {
  await lockOrganizations(transaction, [organizationId])
  const select = { slug: true, name: true, deletedAt: true } as const
  if (projectId === null) {
    const row = await transaction.organization.findUnique({ where: { id: organizationId }, select })
    if (row) return row
    throw new OperationError('organization_not_found', 'The organization does not exist.')
  }
  await lockProject(transaction, projectId)
  const row = await transaction.project.findUnique({ where: { id: projectId, organizationId }, select })
  if (!row) throw projectNotFound()
  return row
}

async function setDeletedAt(
  transaction: Transaction,
  { organizationId, projectId }: Tenant,
  deletedAt: Date | null,
): Promise<void> {
  if (projectId === null)
    await transaction.organization.update({ where: { id: organizationId }, data: { deletedAt } })
  else await transaction.project.update({ where: { id: projectId }, data: { deletedAt } })
}

function record(
  transaction: Transaction,
  by: Principal,
  { organizationId, projectId }: Tenant,
  change: 'deleted' | 'restored',
  details: Record<string, string | null>,
): void {
  if (projectId === null) {
    const target = ['organization', organizationId] as const
    recordAudit(transaction, by, { action: `organization.${change}`, target, organizationId, details })
    const event = change === 'deleted' ? organizationDeleted : organizationRestored
    recordEvent(transaction, event, { organization_id: organizationId })
  } else {
    const target = ['project', projectId] as const
    recordAudit(transaction, by, { action: `project.${change}`, target, organizationId, details })
    const event = change === 'deleted' ? projectDeleted : projectRestored
    recordEvent(transaction, event, { organization_id: organizationId, project_id: projectId })
  }
}

function erasureStarted(): OperationError {
  return new OperationError(
    'erasure_started',
    'Its erasure has started, so it can no longer be restored. GET …/deletion shows the progress.',
  )
}
