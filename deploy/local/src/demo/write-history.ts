import { randomUUID } from 'node:crypto'
import { BUCKETS, bucketOf } from '@bearing/contracts/histogram'
import { dayOf } from '@bearing/contracts/usage'
import type { Service } from '@bearing/prisma/services'
import pg from 'pg'
import { v7 } from 'uuid'
import { DAYS, FLEET, SOFTWARE_TYPE, fixOf, messageOf, momentsOf } from './fleet.js'

/** Whose history is written. */
export interface HistoryOptions {
  /** Of the role of each service. */
  readonly databaseUrls: Readonly<Record<Service, string>>
  readonly organizationId: string
  readonly projectId: string
  /** The webhook that accepts what it is sent, and the one that fails. */
  readonly webhooks: { readonly working: string; readonly failing: string }
  /** Files that devices sent: each is moved back by a few days. */
  readonly coredumps: readonly string[]
  readonly now: number
}

interface Moment {
  readonly serial: string
  readonly at: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Deliveries are kept for 14 days. */
const DELIVERY_DAYS = 13
/** Of a hundred look-ups, those without a position. */
const NOT_FOUND = 4

/**
 * Writes what the fleet did in the past into the tables of the services: the API accepts no past times, so this is the one place
 * that knows their columns. Counts are derived from the rows, as the services keep them. What is there already is kept.
 */
export async function writeHistory(options: HistoryOptions): Promise<void> {
  const moments = FLEET.flatMap((device) =>
    momentsOf(device, options.now).map((at) => ({ serial: device.serial, at, device })),
  )
  await inTransaction(options.databaseUrls.location, 'location', (client) =>
    writePositions(client, options, moments),
  )
  await inTransaction(options.databaseUrls.identity, 'identity', (client) =>
    writeRequests(client, options, moments),
  )
  await inTransaction(options.databaseUrls.management, 'management', async (client) => {
    await moveCoredumps(client, options)
    await writeChunks(client, options, moments)
    await writeDeliveries(client, options)
  })
}

async function inTransaction(
  connectionString: string,
  schema: Service,
  write: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    await client.query('BEGIN')
    await write(client)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

type DeviceMoment = Moment & { readonly device: (typeof FLEET)[number] }

async function writePositions(
  client: pg.Client,
  { organizationId, projectId }: HistoryOptions,
  moments: readonly DeviceMoment[],
): Promise<void> {
  const rows = moments.map(({ device, serial, at }) => ({
    serial,
    at: iso(at),
    id: idAt(at),
    ...fixOf(device, at),
  }))
  await client.query(
    `INSERT INTO device_positions
       (organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with)
     SELECT $1, $2, serial, at, id, lat, lon, uncertainty, 68, 'WIFI'
     FROM json_to_recordset($3) AS fix (serial text, at timestamptz, id uuid, lat float, lon float, uncertainty float)
     WHERE NOT EXISTS (SELECT FROM device_positions WHERE project_id = $2 AND device_serial = $4)`,
    [organizationId, projectId, JSON.stringify(rows), FLEET[0]?.serial],
  )
  const hours = [...Map.groupBy(rows, ({ at }) => at.slice(0, 13))].map(([hour, found], index) => ({
    ...{ hour: `${hour}:00:00Z`, found: found.length, radii: histogram(found.map((fix) => fix.uncertainty)) },
    ...{
      not_found: Math.round((found.length * (NOT_FOUND + (index % 3))) / 100),
      refused: index % 40 === 0 ? 2 : 0,
    },
  }))
  await client.query(
    `INSERT INTO lookup_hours (organization_id, project_id, hour, found, not_found, refused, radii)
     SELECT $1, $2, hour, found, not_found, refused, radii FROM json_to_recordset($3) AS counted (
       hour timestamptz, found bigint, not_found bigint, refused bigint, radii integer[])
     ON CONFLICT DO NOTHING`,
    [organizationId, projectId, JSON.stringify(hours)],
  )
}

/** The requests of those days: the devices with the project key, their look-ups with a token. */
async function writeRequests(
  client: pg.Client,
  { organizationId, projectId }: HistoryOptions,
  moments: readonly Moment[],
): Promise<void> {
  const days = [...countByDay(moments)].map(([day, requests]) => ({ day, requests }))
  await client.query(
    `INSERT INTO request_usage (organization_id, day, kind, credential_id, requests, invalid, denied, last_used_at)
     SELECT $1, day, kind, id, requests, requests / 70, (requests / 250) * (kind = 'organization_token')::int,
            day + interval '1 day' - interval '1 minute'
     FROM json_to_recordset($3) AS usage (day date, requests bigint), (
       SELECT 'project_key', id FROM project_keys WHERE project_id = $2
       UNION ALL
       (SELECT 'organization_token', id FROM organization_tokens WHERE organization_id = $1 ORDER BY id LIMIT 1)
     ) AS credential (kind, id)
     WHERE day < current_date
     ON CONFLICT DO NOTHING`,
    [organizationId, projectId, JSON.stringify(days)],
  )
}

async function moveCoredumps(client: pg.Client, { coredumps, now }: HistoryOptions): Promise<void> {
  const files = coredumps.map((id, index) => {
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
  client: pg.Client,
  { projectId, now }: HistoryOptions,
  moments: readonly DeviceMoment[],
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
    `INSERT INTO chunks (id, device_id, project_id, stream_started_at, sequence, part, received_at, size, data)
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
         FROM chunks JOIN devices own ON own.id = chunks.device_id
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
     SELECT $1, (received_at AT TIME ZONE 'UTC')::date, sum(size), count(*) FROM chunks
     WHERE project_id = $1 AND stream_started_at = $2 GROUP BY 2
     ON CONFLICT (project_id, day) DO UPDATE
     SET bytes = project_usage.bytes + excluded.bytes, chunks = project_usage.chunks + excluded.chunks`,
    [projectId, stream],
  )
}

/** Derives the hours of the project from its chunks and files, those of the files at their former times too. */
async function writeHours(client: pg.Client, projectId: string): Promise<void> {
  await client.query('DELETE FROM project_hours WHERE project_id = $1', [projectId])
  await client.query(
    `WITH sent AS (
       SELECT device_id, received_at AS at, 1 AS chunks, size AS chunk_bytes, 0 AS files, 0 AS file_bytes
       FROM chunks WHERE project_id = $1
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
  client: pg.Client,
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

function histogram(values: readonly number[]): number[] {
  const counts = Array.from({ length: BUCKETS }, () => 0)
  for (const value of values) counts[bucketOf(value)] = (counts[bucketOf(value)] ?? 0) + 1
  return counts
}

function countByDay(moments: readonly Moment[]): Map<string, number> {
  const days = new Map<string, number>()
  for (const { at } of moments) {
    const day = dayOf(new Date(at))
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  return days
}

function idAt(msecs: number): string {
  return v7({ msecs: Math.floor(msecs) })
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
