import { dayOf } from '@bearing/contracts/counts/usage'
import type { Service } from '@bearing/prisma/services'
import pg from 'pg'
import { FLEET, fixOf, momentsOf } from './fleet.js'
import { histogram, idAt, iso, type HistoryOptions, type Moment, type Rows } from './history.js'
import { writeProjectData } from './write-project-data.js'

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
    await writeProjectData(client, options, moments)
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

async function writePositions(
  client: Rows,
  { organizationId, projectId }: HistoryOptions,
  moments: readonly Moment[],
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
  client: Rows,
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

function countByDay(moments: readonly Moment[]): Map<string, number> {
  const days = new Map<string, number>()
  for (const { at } of moments) {
    const day = dayOf(new Date(at))
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  return days
}
