import { deviceLocationResolved } from '@bearing/contracts/location/device-resolved'
import type { EventData } from '@bearing/contracts/operation'
import { DEVICE_LOCATION_STREAM } from '@bearing/contracts/streams'
import type { Connection } from '@bearing/nats/connection'
import { WorkQueue, type QueuedMessage } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/logger'
import { warnSeldom } from '@bearing/service/warn-seldom'
import type { Database, Transaction } from '../ground/database.js'
import { deviceKey } from '../ground/device-key.js'
import { lockDeletions } from '../ground/locks.js'
import type { ProjectEvent, RecordEvents } from './enqueue-deliveries.js'

type Resolved = EventData<typeof deviceLocationResolved>

/** Begins to note for webhooks where devices were, as the location service tells it; as many processes may as there are. */
export function consumeLocations(
  connection: Connection,
  database: Database,
  events: RecordEvents,
  logger: Logger,
): WorkQueue {
  const queue = new WorkQueue(
    connection,
    DEVICE_LOCATION_STREAM,
    'management',
    (batch) => noteLocations(batch, database, events, logger),
    warnSeldom(logger, 'where devices were waits in its queue; trying again every second'),
  )
  queue.start()
  return queue
}

async function noteLocations(
  batch: readonly QueuedMessage[],
  database: Database,
  events: RecordEvents,
  logger: Logger,
): Promise<void> {
  const resolved = batch.flatMap((message) => {
    const read = readLocation(message)
    if (!read)
      logger.error({ subject: message.subject }, 'a position of a device cannot be read and is left out')
    return read ?? []
  })
  if (resolved.length === 0) return
  await database.transaction(async (transaction) => {
    // No device is deleted meanwhile, which would leave what is noted here.
    const projects = resolved.map(({ project_id }) => project_id)
    await lockDeletions(transaction, 'shared', projects)
    await events.record(transaction, (await withoutDeleted(transaction, resolved)).map(toEvent))
  })
}

/** The subject says whose it is, and NATS who may publish there. */
function readLocation({ subject, body }: QueuedMessage): Resolved | undefined {
  try {
    const { success, data } = deviceLocationResolved.data.safeParse(JSON.parse(Buffer.from(body).toString()))
    if (!success) return undefined
    const own = `${DEVICE_LOCATION_STREAM.subject}.${data.organization_id}.${data.project_id}`
    return subject === own ? data : undefined
  } catch {
    return undefined
  }
}

/** Without those of devices that were deleted since. */
async function withoutDeleted(
  transaction: Transaction,
  resolved: readonly Resolved[],
): Promise<readonly Resolved[]> {
  const deletions = await transaction.$queryRaw<{ project_id: string; serial: string; deleted_at: Date }[]>`
    SELECT DISTINCT deletion.project_id, deletion.serial, deletion.deleted_at
    FROM unnest(
      ${resolved.map(({ project_id }) => project_id)}::uuid[],
      ${resolved.map(({ device_serial }) => device_serial)}::text[]
    ) AS told (project_id, serial)
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
