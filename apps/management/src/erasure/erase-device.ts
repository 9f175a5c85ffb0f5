import { eraseDeviceKeys } from '@bearing/contracts/identity/devices/device-key'
import { deviceKnownChanged, type deleteDevice } from '@bearing/contracts/management/devices/device'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { NatsClient } from '@bearing/nats/client'
import { Connection } from '@bearing/nats/connection'
import { Clock } from '@bearing/service/ground/clock'
import { DeadLetters } from '@bearing/service/store/dead-letters'
import { recordEvent } from '@bearing/service/store/transactions'
import { Injectable } from '@nestjs/common'
import { DeviceDataFeed, eraseRecorded, recordDeviceData } from '../feed/device-data-feed.js'
import { removeFiles } from '../files/remove-files.js'
import { Database, type Transaction } from '../ground/database.js'
import { lockCommits, lockDeletions, lockOrganizations } from '../ground/locks.js'
import { recordAudit } from '../ground/record-audit.js'
import { queueEnd } from '../ingest/chunks/queue-end.js'
import { deadLettersOf } from '../ingest/dead-letters/dead-letter.js'
import { deviceNotFound } from '../ingest/devices/device-row.js'
import { deleteChunks, type DeletedChunks } from './delete-chunks.js'
import type { DeletedPositions } from './delete-positions.js'

/** Differences between deletions for a caller and in the background. */
interface ErasureOptions {
  /** Deletes the positions of the device in the location service. */
  readonly deletePositions: () => Promise<DeletedPositions>
  /** Runs in the transaction that deletes the device. */
  readonly also?: (transaction: Transaction) => Promise<unknown>
  /** Id of the request, for the audit log (default: the one that is being handled). */
  readonly requestId?: string
}

/** Deletes devices with everything stored about them. */
@Injectable()
export class EraseDevice {
  constructor(
    private readonly database: Database,
    private readonly connection: Connection,
    private readonly client: NatsClient,
    private readonly deadLetters: DeadLetters,
    private readonly clock: Clock,
    private readonly feed: DeviceDataFeed,
  ) {}

  /**
   * Revokes its keys, then deletes positions and most chunks first, in batches; then, in one transaction, the rest and the
   * device, and stores which queued messages do not count any more; then what the stream of device data has. After a crash in
   * between, the device can be deleted again. Positions and dead
   * letters are deleted once more at the end, for data that arrived meanwhile.
   *
   * The device itself need not exist: keys, files, positions and dead letters may be all there is of a serial number.
   */
  async execute(
    input: Input<typeof deleteDevice>,
    by: Principal,
    { deletePositions, also, requestId }: ErasureOptions,
  ): Promise<Output<typeof deleteDevice>> {
    const { organization_id, project_id, device_serial } = input
    const project = { id: project_id, organizationId: organization_id }
    if (!(await this.database.project.findUnique({ where: project, select: { id: true } })))
      throw deviceNotFound()
    // First: a device that is deleted sends nothing any more.
    const keys = await this.client.call(eraseDeviceKeys, { organization_id, project_id, device_serial })
    const positions = await deletePositions()
    const subject = deadLettersOf(organization_id, project_id, device_serial)
    const letters = await this.deadLetters.deleteSome(subject)
    const chunks = await deleteChunks(this.database, input)
    const deletedAt = this.clock.now()
    const { id, feedEnd, ...deleted } = await this.database.transaction(async (transaction) => {
      const rest = await this.deleteRest(transaction, input, deletedAt)
      const all = { chunks: chunks.chunks + rest.chunks, bytes: chunks.bytes + rest.bytes, files: rest.files }
      const others = letters.erased + positions.deleted + keys.erased
      if (rest.id === undefined && all.chunks + all.files + others === 0) throw deviceNotFound()
      recordAudit(transaction, by, {
        action: 'device.deleted',
        target: ['device', rest.id ?? device_serial],
        organizationId: organization_id,
        details: { project_id, device_serial, ...all, positions: positions.deleted },
        ...(requestId !== undefined && { requestId }),
      })
      recordEvent(transaction, deviceKnownChanged, { project_id, device_serial })
      const at = deletedAt.toISOString()
      recordDeviceData(transaction, { kind: 'deleted', organization_id, project_id, device_serial, at })
      await also?.(transaction)
      return { id: rest.id, feedEnd: rest.feedEnd, ...all }
    })
    await this.feed.erase({ organization_id, project_id, device_serial }, feedEnd)
    const lettersSince = await this.deadLetters.deleteSome(subject)
    const dead_letters = letters.erased + lettersSince.erased
    const later = await deletePositions()
    return {
      device_serial,
      deleted_at: deletedAt.toISOString(),
      deleted: { ...deleted, dead_letters, positions: positions.deleted + later.deleted },
      left: {
        ...(await this.countRemaining(input, id)),
        dead_letters: lettersSince.remaining,
        positions: later.left,
      },
    }
  }

  /** Deletes all rows of the device. Data that arrives later belongs to a new device. */
  private async deleteRest(
    transaction: Transaction,
    input: Input<typeof deleteDevice>,
    deletedAt: Date,
  ): Promise<
    DeletedChunks & { readonly id: string | undefined; readonly files: number; readonly feedEnd: number }
  > {
    const { organization_id: organizationId, project_id: projectId, device_serial: serial } = input
    await lockDeletions(transaction, 'exclusive', [projectId])
    const scope = { organization_id: organizationId, project_id: projectId, device_serial: serial }
    await eraseRecorded(transaction, scope)
    const [end, feedEnd] = await Promise.all([queueEnd(this.connection), this.feed.end()])
    const chunks = await deleteChunks(transaction, input)
    await lockCommits(transaction, projectId)
    const files = await transaction.storedFile.findMany({
      where: { projectId, deviceSerial: serial },
      select: { id: true },
    })
    const removed = await removeFiles(
      transaction,
      files.map(({ id }) => id),
    )
    await lockOrganizations(transaction, [organizationId])
    const where = { projectId_serial: { projectId, serial } }
    const device = await transaction.device.findUnique({ where, select: { id: true } })
    const deletion = { ...end, feedEnd, deletedAt }
    await transaction.deviceDeletion.upsert({
      where,
      create: { projectId, serial, ...deletion },
      update: deletion,
    })
    await transaction.device.deleteMany({ where: { projectId, serial } })
    await deleteDeliveries(transaction, projectId, serial)
    return { ...chunks, id: device?.id, files: removed, feedEnd }
  }

  private async countRemaining(input: Input<typeof deleteDevice>, deviceId: string | undefined) {
    const { project_id: projectId, device_serial: deviceSerial } = input
    return {
      devices: deviceId === undefined ? 0 : await this.database.device.count({ where: { id: deviceId } }),
      chunks: deviceId === undefined ? 0 : await this.database.chunk.count({ where: { deviceId } }),
      files: await this.database.storedFile.count({ where: { projectId, deviceSerial } }),
    }
  }
}

/** Deletes the deliveries of a device's events. */
async function deleteDeliveries(
  transaction: Transaction,
  projectId: string,
  deviceSerial: string,
): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE project_id = ${projectId}::uuid AND device_serial = ${deviceSerial}
      ORDER BY id FOR UPDATE
    )`
}
