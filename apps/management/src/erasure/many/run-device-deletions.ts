import { OperationError } from '@bearing/contracts/errors'
import { eraseDevicePositions } from '@bearing/contracts/location/positions/device-position'
import type { DeviceFilter } from '@bearing/contracts/management/devices/device-selection'
import type { Principal } from '@bearing/contracts/principal'
import { NatsClient } from '@bearing/nats/client'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { Prisma, type DeviceBulkDeletion } from '../../generated/prisma/client.js'
import { Database } from '../../ground/database.js'
import { recordAudit } from '../../ground/record-audit.js'
import { deviceCondition } from '../../ingest/devices/lists/device-condition.js'
import { deviceIndex } from '../../ingest/devices/lists/device-index.js'
import { readPage } from '../../ingest/devices/lists/device-page.js'
import { EraseDevice } from '../erase-device.js'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'

/** Interval between searches for deletions that another process has left, in milliseconds. */
const CONTINUE_MS = 30_000
/** Devices between two looks at the filter and at whether the deletion was stopped. */
const BATCH = 50
/** Devices that are deleted concurrently. */
const CONCURRENT = 4
/** Within this time a batch is finished, in milliseconds, or another process continues. */
const LEASE_MS = 120_000
/** A deletion that failed waits so long, in milliseconds. */
const FAILED_MS = 20_000

/**
 * Deletes the devices of bulk deletions, in batches. A device that does not match any more when its batch begins is kept. A
 * deleted device does not match again, so a process that ends leaves nothing to repeat. Any number of processes may run it.
 */
@Injectable()
export class RunDeviceDeletions extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly client: NatsClient,
    private readonly erase: EraseDevice,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: CONTINUE_MS,
      run: () => this.run(),
      logger,
      failure: 'deletions of many devices cannot continue; retrying',
    })
  }

  private async run(): Promise<void> {
    const failures: unknown[] = []
    for (let row = await this.claim(); row && !this.isStopping; row = await this.claim()) {
      let leasedUntil: Date | null = null
      try {
        if (!(await this.batch(row))) await this.finish(row, 'done')
      } catch (error) {
        if (isOfFilter(error)) await this.finish(row, 'stopped')
        else {
          failures.push(error)
          // Others continue before it is tried again.
          leasedUntil = new Date(this.clock.nowMs() + FAILED_MS)
        }
      }
      await this.database.deviceBulkDeletion.updateMany({ where: { id: row.id }, data: { leasedUntil } })
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Claims the deletion that waits longest for its next batch. */
  private async claim(): Promise<DeviceBulkDeletion | undefined> {
    const now = this.clock.now()
    const [row] = await this.database.$queryRaw<{ id: string }[]>`
      UPDATE device_bulk_deletions SET leased_until = ${new Date(now.getTime() + LEASE_MS)}::timestamptz
      WHERE id = (
        SELECT id FROM device_bulk_deletions
        WHERE finished_at IS NULL AND (leased_until IS NULL OR leased_until < ${now}::timestamptz)
        ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id`
    if (!row) return undefined
    return (await this.database.deviceBulkDeletion.findUnique({ where: { id: row.id } })) ?? undefined
  }

  /** @returns whether there may be more devices */
  private async batch(row: DeviceBulkDeletion): Promise<boolean> {
    const { organizationId: organization_id, projectId: project_id } = row
    const filter = row.filter as DeviceFilter // written by delete-devices alone
    const index = deviceIndex(filter, undefined)
    const condition = await deviceCondition(this.database, project_id, filter, index)
    // A deleted device that sends again is a new one, which nobody has asked to delete. It has no attributes.
    const isOfDevices = index.by === 'serial' || index.by === 'last_seen'
    const known = isOfDevices
      ? Prisma.sql`${condition} AND d.created_at <= ${row.createdAt}::timestamptz`
      : condition
    const devices = await readPage(this.database, known, index, { take: BATCH })
    const waiting = [...devices]
    const work = async () => {
      for (let device = waiting.shift(); device && !this.isStopping; device = waiting.shift())
        await this.delete(row, { organization_id, project_id, device_serial: device.serial })
    }
    await Promise.all(Array.from({ length: CONCURRENT }, work))
    return devices.length > 0
  }

  private async delete(
    { id, actor, requestId }: DeviceBulkDeletion,
    scope: { organization_id: string; project_id: string; device_serial: string },
  ): Promise<void> {
    try {
      await this.erase.execute(scope, actor as unknown as Principal, {
        requestId,
        deletePositions: () => this.client.call(eraseDevicePositions, scope),
        also: (transaction) =>
          transaction.deviceBulkDeletion.updateMany({ where: { id }, data: { deleted: { increment: 1 } } }),
      })
    } catch (error) {
      // Somebody else has deleted it.
      if (!(error instanceof OperationError) || error.code !== 'device_not_found') throw error
    }
  }

  private async finish(
    { id, organizationId, projectId, actor, requestId }: DeviceBulkDeletion,
    state: string,
  ) {
    await this.database.transaction(async (transaction) => {
      const { count } = await transaction.deviceBulkDeletion.updateMany({
        where: { id, state: 'running' },
        data: { state, finishedAt: this.clock.now() },
      })
      if (count === 0) return
      const row = await transaction.deviceBulkDeletion.findUniqueOrThrow({ where: { id } })
      recordAudit(transaction, actor as unknown as Principal, {
        action: 'devices.deletion_finished',
        target: ['project', projectId],
        organizationId,
        details: { deletion_id: id, devices: row.deleted, of: row.total },
        requestId,
      })
    })
  }
}

/** Returns true if the attribute of a filter was deleted, or has another type by now: then nothing matches it. */
function isOfFilter(error: unknown): boolean {
  return (
    error instanceof OperationError &&
    (error.code === 'attribute_not_found' || error.code === 'invalid_input')
  )
}
