import type { DeviceData } from '@bearing/contracts/management/data/device-data'
import { deviceLocationResolved } from '@bearing/contracts/location/positions/device-resolved'
import type { EventData } from '@bearing/contracts/operation'
import { DEVICE_LOCATION_STREAM } from '@bearing/contracts/nats/streams'
import { Connection } from '@bearing/nats/connection'
import { WorkQueue, type QueuedMessage } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { DeviceDataFeed } from '../feed/device-data-feed.js'
import { Database, type Transaction } from '../ground/database.js'
import { deviceKey } from '../ground/device-key.js'
import { lockDeletions } from '../ground/locks.js'
import { withoutErased } from '../ground/without-erased.js'
import { EnqueueDeliveries, type ProjectEvent } from './enqueue-deliveries.js'

type Resolved = EventData<typeof deviceLocationResolved>

/**
 * Puts positions of devices, which the location service publishes, into the stream of device data, and enqueues their
 * deliveries. Any number of processes may run it.
 */
@Injectable()
export class LocationConsumer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly queue: WorkQueue

  constructor(
    connection: Connection,
    private readonly database: Database,
    private readonly enqueue: EnqueueDeliveries,
    private readonly feed: DeviceDataFeed,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.queue = new WorkQueue(
      connection,
      DEVICE_LOCATION_STREAM,
      'management',
      (batch) => this.consume(batch),
      warnSeldom(
        logger,
        'positions of devices cannot be processed and stay in their queue; retrying every second',
      ),
    )
  }

  onApplicationBootstrap(): void {
    this.queue.start()
  }

  onModuleDestroy(): Promise<void> {
    return this.queue.stop()
  }

  private async consume(batch: readonly QueuedMessage[]): Promise<void> {
    const resolved = batch.flatMap((message) => {
      const read = readPosition(message)
      if (!read)
        this.logger.error(
          { subject: message.subject },
          'a position of a device is malformed and was discarded',
        )
      return read ?? []
    })
    if (resolved.length === 0) return
    const wanted = new Set(await this.wanted(resolved))
    await this.database.transaction(async (transaction) => {
      // Without the lock, positions of a device that is being deleted could be enqueued, or published after the deletion.
      await lockDeletions(
        transaction,
        'shared',
        resolved.map(({ project_id }) => project_id),
      )
      const kept = await withoutDeleted(transaction, resolved)
      await this.enqueue.execute(transaction, kept.filter((position) => wanted.has(position)).map(toEvent))
      await this.feed.publish(kept.map(toDeviceData))
    })
  }

  /** Returns the positions of projects with a webhook for them, by one statement: most projects have none. */
  private async wanted(resolved: readonly Resolved[]): Promise<readonly Resolved[]> {
    const projects = [...new Set(resolved.map(({ project_id }) => project_id))]
    const found = await this.database.webhook.findMany({
      where: { projectId: { in: projects }, pausedAt: null, events: { has: 'device.location_resolved' } },
      select: { projectId: true },
      distinct: ['projectId'],
    })
    const wanting = new Set(found.map(({ projectId }) => projectId))
    return resolved.filter(({ project_id }) => wanting.has(project_id))
  }
}

/** Reads a position. NATS permissions protect the subject, so the subject decides whose position it is. */
function readPosition({ subject, body }: QueuedMessage): Resolved | undefined {
  try {
    const { success, data } = deviceLocationResolved.data.safeParse(JSON.parse(Buffer.from(body).toString()))
    if (!success) return undefined
    const expected = `${DEVICE_LOCATION_STREAM.subject}.${data.organization_id}.${data.project_id}`
    return subject === expected ? data : undefined
  } catch {
    return undefined
  }
}

/** Removes positions from before the deletion of their device, and those of organizations and projects that are erased. */
async function withoutDeleted(
  transaction: Transaction,
  all: readonly Resolved[],
): Promise<readonly Resolved[]> {
  const owned = all.map((position) => ({
    organizationId: position.organization_id,
    projectId: position.project_id,
    position,
  }))
  const resolved = (await withoutErased(transaction, owned)).map(({ position }) => position)
  const deletions = await transaction.$queryRaw<{ project_id: string; serial: string; deleted_at: Date }[]>`
    SELECT DISTINCT deletion.project_id, deletion.serial, deletion.deleted_at
    FROM unnest(
      ${resolved.map(({ project_id }) => project_id)}::uuid[],
      ${resolved.map(({ device_serial }) => device_serial)}::text[]
    ) AS resolved (project_id, serial)
    JOIN device_deletions deletion USING (project_id, serial)`
  const deletedAt = new Map(
    deletions.map(({ project_id: projectId, serial, deleted_at }) => [
      deviceKey({ projectId, serial }),
      deleted_at,
    ]),
  )
  return resolved.filter(({ project_id, device_serial, resolved_at }) => {
    const deleted = deletedAt.get(deviceKey({ projectId: project_id, serial: device_serial }))
    return !deleted || new Date(resolved_at) > deleted
  })
}

function toDeviceData(resolved: Resolved): DeviceData {
  const { id, organization_id, project_id, device_serial, resolved_at: at, ...position } = resolved
  return { kind: 'position', id, organization_id, project_id, device_serial, at, position }
}

function toEvent(resolved: Resolved): ProjectEvent {
  const { id, organization_id: _, project_id: projectId, device_serial, resolved_at, ...position } = resolved
  return {
    id,
    type: 'device.location_resolved',
    projectId,
    deviceSerial: device_serial,
    at: new Date(resolved_at),
    data: { device_serial, location: position },
  }
}
