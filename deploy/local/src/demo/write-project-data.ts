import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import { DAYS, FLEET, SOFTWARE_TYPE, messageOf } from './fleet.js'
import { histogram, idAt, iso, type HistoryOptions, type Moment, type Rows } from './history.js'

const MINUTE_MS = 60_000
/** Deliveries are kept for 14 days. */
const DELIVERY_DAYS = 13

/** Writes chunks, deliveries and their counts into the tables of management. */
export async function writeProjectData(
  client: Rows,
  options: HistoryOptions,
  moments: readonly Moment[],
): Promise<void> {
  await moveFiles(client, options)
  await writeChunks(client, options, moments)
  await writeDeliveries(client, options)
}

async function moveFiles(client: Rows, { files: ids, now }: HistoryOptions): Promise<void> {
  const files = ids.map((id, index) => {
    const at = now - (1 + 3 * index) * DAY_MS
    return { id, moved: idAt(at), at: iso(at) }
  })
  await client.query(
    `UPDATE files SET id = file.moved, created_at = file.at
     FROM json_to_recordset($1) AS file (id uuid, moved uuid, at timestamptz) WHERE files.id = file.id`,
    [JSON.stringify(files)],
  )
}

async function writeChunks(
  client: Rows,
  { projectId, now }: HistoryOptions,
  moments: readonly Moment[],
): Promise<void> {
  const rows = moments.map(({ device, serial, at }, index) => ({
    ...{ serial, at: iso(at), id: `${randomUUID().slice(0, -3)}000`, sequence: index + 1 },
    data: messageOf(device, at),
  }))
  const facts = FLEET.map(({ serial, softwareVersion: version, hardwareVersion: hardware }) => ({
    ...{ serial, version, hardware },
  }))
  // Before the streams of real chunks, which are older in the order that devices sent them.
  const stream = iso(now - (DAYS + 1) * DAY_MS)
  await client.query(
    `INSERT INTO device_chunks (id, device_id, project_id, stream_started_at, sequence, part, received_at, size, data)
     SELECT chunk.id, device.id, $1, $3, chunk.sequence, 0, chunk.at, length(chunk.data), convert_to(chunk.data, 'UTF8')
     FROM json_to_recordset($2) AS chunk (serial text, at timestamptz, id uuid, sequence bigint, data text)
     JOIN devices device ON device.project_id = $1 AND device.serial = chunk.serial`,
    [projectId, JSON.stringify(rows), stream],
  )
  await client.query(
    `UPDATE devices SET hardware_version = fact.hardware, software_type = $3, software_version = fact.version,
       first_seen_at = seen.first, last_seen_at = greatest(seen.last, file.last),
       chunk_count = seen.count, chunk_bytes = seen.bytes, created_at = seen.first, registered_at = seen.first
     FROM json_to_recordset($2) AS fact (serial text, hardware text, version text),
       LATERAL (
         SELECT min(received_at) AS first, max(received_at) AS last, count(*) AS count, sum(size) AS bytes
         FROM device_chunks chunk JOIN devices own ON own.id = chunk.device_id
         WHERE own.project_id = $1 AND own.serial = fact.serial
       ) AS seen,
       LATERAL (
         SELECT max(created_at) AS last FROM files WHERE project_id = $1 AND device_serial = fact.serial
       ) AS file
     WHERE devices.project_id = $1 AND devices.serial = fact.serial`,
    [projectId, JSON.stringify(facts), SOFTWARE_TYPE],
  )
  await writeHours(client, projectId)
  await client.query(
    `INSERT INTO project_usage (project_id, day, bytes, chunks)
     SELECT $1, (received_at AT TIME ZONE 'UTC')::date, sum(size), count(*) FROM device_chunks
     WHERE project_id = $1 AND stream_started_at = $2 GROUP BY 2
     ON CONFLICT (project_id, day) DO UPDATE
     SET bytes = project_usage.bytes + excluded.bytes, chunks = project_usage.chunks + excluded.chunks`,
    [projectId, stream],
  )
}

/** Derives the hours of the project from its chunks and files, those of the files at their former times too. */
async function writeHours(client: Rows, projectId: string): Promise<void> {
  await client.query('DELETE FROM project_hours WHERE project_id = $1', [projectId])
  await client.query(
    `WITH sent AS (
       SELECT device_id, received_at AS at, 1 AS chunks, size AS chunk_bytes, 0 AS files, 0 AS file_bytes
       FROM device_chunks WHERE project_id = $1
       UNION ALL
       SELECT devices.id, files.created_at, 0, 0, 1, stored_objects.size
       FROM files JOIN stored_objects ON stored_objects.id = files.object_id
       LEFT JOIN devices ON devices.project_id = files.project_id AND devices.serial = files.device_serial
       WHERE files.project_id = $1
     ), counted AS (
       SELECT date_trunc('hour', at, 'UTC') AS hour, device_id, sum(chunks) AS chunks, sum(chunk_bytes) AS chunk_bytes,
              sum(files) AS files, sum(file_bytes) AS file_bytes
       FROM sent GROUP BY 1, 2
     ), seen AS (
       SELECT *, row_number() OVER (PARTITION BY device_id, date_trunc('day', hour, 'UTC') ORDER BY hour) = 1 AS is_first
       FROM counted
     )
     INSERT INTO project_hours (project_id, hour, chunks, chunk_bytes, files, file_bytes, devices, devices_of_day)
     SELECT $1, hour, sum(chunks), sum(chunk_bytes), sum(files), sum(file_bytes), count(device_id),
            count(device_id) FILTER (WHERE is_first)
     FROM seen GROUP BY hour`,
    [projectId],
  )
}

/** One of coredumps and new devices for each webhook; the failing one had its last success yesterday. */
async function writeDeliveries(
  client: Rows,
  { projectId, webhooks: { working, failing }, now }: HistoryOptions,
): Promise<void> {
  const failsSince = now - 1.2 * DAY_MS
  const events = FLEET.flatMap(({ serial, fromDays }, index) => [
    ...(fromDays < DELIVERY_DAYS
      ? [{ event: 'device.first_seen', serial, at: now - fromDays * DAY_MS }]
      : []),
    ...(index < 12 ? [{ event: 'coredump.uploaded', serial, at: now - (index + 0.4) * DAY_MS }] : []),
  ])
  const rows = [working, failing].flatMap((webhook, which) =>
    events.map(({ event, serial, at }, index) => {
      const fails = webhook === failing && at > failsSince
      return {
        ...{ webhook, event, serial, id: idAt(at), event_id: randomUUID(), at: iso(at) },
        attempted: iso(at + (fails ? 14 * 60 * MINUTE_MS : 1_000)),
        state: fails ? 'failed' : 'delivered',
        attempts: fails ? 9 : 1,
        status: fails ? 503 : 204,
        error: fails ? 'status' : null,
        duration: 38 + ((index * 37 + which * 11) % 90),
      }
    }),
  )
  await client.query(
    `INSERT INTO webhook_deliveries
       (id, webhook_id, project_id, event_id, event, device_serial, state, attempts, last_attempt_at, status, error,
        duration_ms, created_at)
     SELECT id, webhook, $1, event_id, event, serial, state, attempts, least(attempted, now()), status, error, duration, at
     FROM json_to_recordset($2) AS delivery (id uuid, webhook uuid, event_id uuid, event text, serial text, state text,
       attempts integer, attempted timestamptz, status integer, error text, duration integer, at timestamptz)`,
    [projectId, JSON.stringify(rows)],
  )
  const hours = [...Map.groupBy(rows, ({ webhook, at }) => `${webhook} ${at.slice(0, 13)}`)].map(
    ([key, all]) => {
      const accepted = all.filter(({ state }) => state === 'delivered')
      const [webhook, hour = ''] = key.split(' ')
      return {
        ...{ webhook, hour: `${hour}:00:00Z`, delivered: accepted.length },
        failed: all
          .filter(({ state }) => state === 'failed')
          .reduce((sum, { attempts }) => sum + attempts, 0),
        durations: histogram(accepted.map(({ duration }) => duration)),
      }
    },
  )
  await client.query(
    `INSERT INTO webhook_hours (webhook_id, hour, delivered, failed, durations)
     SELECT * FROM json_to_recordset($1) AS counted (
       webhook uuid, hour timestamptz, delivered bigint, failed bigint, durations integer[])`,
    [JSON.stringify(hours)],
  )
  await client.query(
    `UPDATE webhooks SET created_at = $2, failing_since = CASE WHEN id = $3 THEN $4::timestamptz END
     WHERE project_id = $1 AND id = ANY ($5::uuid[])`,
    [projectId, iso(now - DAYS * DAY_MS), failing, iso(failsSince), [working, failing]],
  )
}
