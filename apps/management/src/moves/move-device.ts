import { refusal } from '@bearing/access/authorize'
import { OperationError, invalidInput } from '@bearing/contracts/errors'
import { deviceKnownChanged } from '@bearing/contracts/management/device'
import { moveDevice } from '@bearing/contracts/management/device-move'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Connection } from '@bearing/nats/connection'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { recordEvent } from '@bearing/service/transactions'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../ground/database.js'
import { lockCommits, lockDeletions, lockOrganizations, lockStorageQuota } from '../ground/locks.js'
import { recordAudit } from '../ground/record-audit.js'
import { UploadLimits } from '../files/uploads/upload-limits.js'
import { queueEnd } from '../ingest/chunks/queue-end.js'
import { deviceNotFound, findDevice, showWithAttributes } from '../ingest/devices/device-row.js'
import { requireFinishedMoves } from '../ingest/devices/require-finished-moves.js'
import { projectNotFound, requireProject } from '../tenancy/projects/require-project.js'
import { CopySharedContent } from './copy-shared-content.js'
import { FinishMoves, type Move } from './finish-moves.js'
import { moveAttributes } from './move-attributes.js'
import { moveFiles } from './move-files.js'
import { requireFree } from './require-free.js'

/** Longer than other transactions, in milliseconds: a device may have thousands of files. */
const TRANSACTION_MS = 20_000

@Controller()
export class MoveDevice {
  constructor(
    private readonly database: Database,
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly limits: UploadLimits,
    private readonly content: CopySharedContent,
    private readonly finishing: FinishMoves,
  ) {}

  /**
   * Moves everything that readers find by the project in one transaction. Positions, and the project in rows of chunks, which only
   * retention reads, follow: after a crash the background job continues.
   */
  @Handle(moveDevice)
  async execute(input: Input<typeof moveDevice>, by: Principal): Promise<Output<typeof moveDevice>> {
    const { organization_id: organizationId, project_id: projectId, device_serial: serial } = input
    await requireProject(this.database, input)
    const toProjectId = await this.findTarget(input, by)
    await findDevice(this.database, input)
    const move: Move = {
      id: this.randomness.newId(),
      organizationId,
      projectId,
      toProjectId,
      serial,
      movedAt: this.clock.now(),
    }
    await this.finishEarlier(move)
    await this.content.execute(move)
    await this.database.transaction((transaction) => this.move(transaction, move, by), {
      timeout: TRANSACTION_MS,
    })
    const isFinished = await this.finishing.finish(move).then(
      () => true,
      // The job retries it.
      () => false,
    )
    const row = await findDevice(this.database, { ...input, project_id: toProjectId })
    return {
      ...(await showWithAttributes(this.database, toProjectId, row)),
      moved_at: move.movedAt.toISOString(),
      positions_moved: isFinished,
    }
  }

  /** Positions and chunks must follow a device one move after the other, or they would stay in a project in between. */
  private async finishEarlier({ projectId, serial }: Move): Promise<void> {
    const where = { toProjectId: projectId, serial, finishedAt: null }
    for (const earlier of await this.database.deviceMove.findMany({ where, orderBy: { movedAt: 'asc' } }))
      await this.finishing.finish(earlier)
  }

  /** @throws OperationError if the caller may not register devices in the other project */
  private async findTarget(input: Input<typeof moveDevice>, by: Principal): Promise<string> {
    const { organization_id, project_id, to_project: slug } = input
    const project = await this.database.project.findFirst({
      where: { organizationId: organization_id, slug, deletedAt: null },
      select: { id: true },
    })
    const refused = refusal(by, 'device:register', { organization_id, project_id: project?.id ?? null })
    if (refused) throw new OperationError(refused.code, refused.message)
    if (!project) throw projectNotFound()
    if (project.id === project_id) throw invalidInput('/to_project', 'must be another project')
    return project.id
  }

  private async move(transaction: Transaction, move: Move, by: Principal): Promise<void> {
    const { organizationId, projectId, toProjectId, serial } = move
    const projects = [projectId, toProjectId].sort()
    await lockDeletions(transaction, 'exclusive', projects)
    const end = await queueEnd(this.connection)
    for (const project of projects) await lockCommits(transaction, project)
    await lockStorageQuota(transaction, organizationId)
    await lockOrganizations(transaction, [organizationId])
    // Copying takes a while; one of them may be erased by now.
    for (const project_id of projects)
      await requireProject(transaction, { organization_id: organizationId, project_id })
    const device = await transaction.device.findUnique({
      where: { projectId_serial: { projectId, serial } },
      select: { id: true },
    })
    if (!device) throw deviceNotFound()
    // Deletions of projects wait for the lock of the organization.
    for (const project_id of projects)
      await requireProject(transaction, { organization_id: organizationId, project_id })
    await requireFinishedMoves(transaction, move)
    await requireFree(transaction, move)
    const { quotas } = await this.limits.forProject(transaction, toProjectId)
    await moveAttributes(transaction, move, device.id)
    await transaction.device.update({ where: { id: device.id }, data: { projectId: toProjectId } })
    const files = await moveFiles(transaction, move, quotas)
    await transaction.deviceMove.create({
      data: { ...move, deviceId: device.id, ...end },
    })
    const details = { device_serial: serial, project_id: projectId, to_project_id: toProjectId, files }
    for (const [action, project] of [
      ['device.moved_out', projectId],
      ['device.moved_in', toProjectId],
    ] as const) {
      recordAudit(transaction, by, { action, target: ['project', project], organizationId, details })
      recordEvent(transaction, deviceKnownChanged, { project_id: project, device_serial: serial })
    }
  }
}
