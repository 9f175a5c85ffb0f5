import { chunkId } from '@bearing/contracts/management/data/chunk-message'
import type { Transaction } from '../../ground/database.js'
import type { ProjectHour } from '../../ground/project-hours.js'
import type { Places } from '../../storage/payloads/chunk-payloads.js'
import type { DeviceMessage } from './decode-message.js'

/** Chunks of a device that were received in one hour and not stored before. */
export interface NewChunks {
  readonly device_id: string
  /** Start of the hour in UTC: `2026-01-31T09:00:00Z`. */
  readonly hour: string
  readonly count: number
  readonly bytes: number
}

/**
 * Inserts chunks in the order in which they were sent, and returns the new ones. The bytes of those without a place are sent in one piece and divided by Postgres, their columns as one
 * JSON text: encoding arrays in the driver took as long as storing them.
 */
export async function insertChunks(
  transaction: Transaction,
  messages: readonly DeviceMessage[],
  deviceOf: (message: DeviceMessage) => string,
  places: Places<DeviceMessage>,
): Promise<readonly NewChunks[]> {
  let offset = 1
  const chunks = messages.flatMap((message) => {
    const place = places.get(message)
    let inObject = place?.offset ?? 0
    return message.lengths.map((size, part) => {
      const { id, projectId: project_id, streamStartedAt: stream_started_at, sequence } = message
      const of = { project_id, stream_started_at, sequence, received_at: message.receivedAt }
      const chunk = {
        id: chunkId(id, part),
        device_id: deviceOf(message),
        ...of,
        part,
        size,
        ...(place ? { object_id: place.objectId, object_offset: inObject } : { position: offset }),
      }
      if (place) inObject += size
      else offset += size
      return chunk
    })
  })
  if (chunks.length === 0) return []
  const all = new Uint8Array(
    Buffer.concat(messages.flatMap((message) => (places.has(message) ? [] : [message.body]))),
  )
  return transaction.$queryRaw<NewChunks[]>`
    WITH stored AS (
      INSERT INTO device_chunks (id, device_id, project_id, stream_started_at, sequence, part, received_at, size, data,
                                 object_id, object_offset)
      SELECT chunk.id, chunk.device_id, chunk.project_id, chunk.stream_started_at, chunk.sequence, chunk.part,
             chunk.received_at, chunk.size, substring(${all}::bytea FROM chunk.position FOR chunk.size),
             chunk.object_id, chunk.object_offset
      FROM json_to_recordset(${JSON.stringify(chunks)}::json) AS chunk (
        id uuid, device_id uuid, project_id uuid, stream_started_at timestamptz, sequence bigint, part smallint,
        received_at timestamptz, size integer, position integer, object_id uuid, object_offset integer
      )
      ORDER BY chunk.stream_started_at, chunk.sequence, chunk.part
      ON CONFLICT DO NOTHING
      RETURNING device_id, received_at, size, object_id
    ), used AS (
      UPDATE chunk_objects SET first_at = stored_in.first_at, last_at = stored_in.last_at
      FROM (
        SELECT object_id, min(received_at) AS first_at, max(received_at) AS last_at
        FROM stored WHERE object_id IS NOT NULL GROUP BY 1
      ) stored_in
      WHERE id = stored_in.object_id
    )
    SELECT device_id, to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:00:00"Z"') AS hour, count(*)::integer AS count,
           sum(size)::integer AS bytes
    FROM stored GROUP BY 1, 2`
}

/** Updates the facts and counts of devices. Only new chunks are counted; facts of duplicates change nothing. */
export async function updateDevices(
  transaction: Transaction,
  messages: readonly DeviceMessage[],
  deviceOf: (message: DeviceMessage) => string,
  stored: readonly NewChunks[],
): Promise<void> {
  const inOrder = [...messages].sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())
  const byDevice = new Map<
    string,
    { first: Date; last: Date; facts: DeviceMessage['facts']; count: number; bytes: number }
  >()
  for (const message of inOrder) {
    const id = deviceOf(message)
    const before = byDevice.get(id)
    byDevice.set(id, {
      first: before?.first ?? message.receivedAt,
      last: message.receivedAt,
      facts: { ...before?.facts, ...present(message.facts) },
      count: 0,
      bytes: 0,
    })
  }
  for (const { device_id, count, bytes } of stored) {
    const seen = byDevice.get(device_id)
    if (!seen) continue
    seen.count += count
    seen.bytes += bytes
  }
  const rows = [...byDevice].map(([id, { first, last, facts, count, bytes }]) => {
    const { hardware_version: hardware, software_type: type, software_version: version } = facts
    return { id, first, last, hardware, type, version, count, bytes }
  })
  await transaction.$executeRaw`
    UPDATE devices device
    SET first_seen_at = least(device.first_seen_at, seen.first),
        last_seen_at = greatest(device.last_seen_at, seen.last),
        hardware_version = CASE WHEN seen.last >= coalesce(device.last_seen_at, seen.last) THEN coalesce(seen.hardware, device.hardware_version)
                                ELSE coalesce(device.hardware_version, seen.hardware) END,
        software_type = CASE WHEN seen.last >= coalesce(device.last_seen_at, seen.last) THEN coalesce(seen.type, device.software_type)
                             ELSE coalesce(device.software_type, seen.type) END,
        software_version = CASE WHEN seen.last >= coalesce(device.last_seen_at, seen.last) THEN coalesce(seen.version, device.software_version)
                                ELSE coalesce(device.software_version, seen.version) END,
        chunk_count = device.chunk_count + seen.count,
        chunk_bytes = device.chunk_bytes + seen.bytes
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS seen (
      id uuid, first timestamptz, last timestamptz, hardware text, type text, version text, count integer, bytes integer
    )
    WHERE device.id = seen.id`
}

function present(facts: DeviceMessage['facts']): DeviceMessage['facts'] {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

/** Adds new chunks to the usage of the day on which they were received (UTC), which their quota counted. */
export async function addUsage(transaction: Transaction, hours: readonly ProjectHour[]): Promise<void> {
  const days = hours.map(({ hour }) => hour.slice(0, 10))
  if (hours.every(({ chunks }) => chunks === 0)) return
  await transaction.$executeRaw`
    INSERT INTO project_usage (project_id, day, bytes, chunks)
    SELECT usage.project_id, usage.day, sum(usage.bytes), sum(usage.chunks)
    FROM unnest(
      ${hours.map(({ project_id }) => project_id)}::uuid[],
      ${days}::date[],
      ${hours.map(({ chunk_bytes }) => String(chunk_bytes))}::bigint[],
      ${hours.map(({ chunks }) => String(chunks))}::bigint[]
    ) AS usage (project_id, day, bytes, chunks)
    GROUP BY 1, 2 HAVING sum(usage.chunks) > 0 ORDER BY 1, 2
    ON CONFLICT (project_id, day) DO UPDATE
    SET bytes = project_usage.bytes + excluded.bytes, chunks = project_usage.chunks + excluded.chunks`
}
