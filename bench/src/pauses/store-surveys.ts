import { randomUUID } from 'node:crypto'
import { encodeReadings } from '@bearing/positioning/learning/contribution-codec'
import type { Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { addressOf } from '../scale/places.js'

const SCANS = 20_000
const READINGS = 15

/**
 * Gives projects of an organization as many reference scans as a project can have, all the same: neighbors have in part
 * the same access points.
 *
 * @param accessPoints how many they have together
 * @returns the ids of the projects
 */
export async function storeSurveys(
  stack: Stack,
  organizationId: string,
  accessPoints: number,
  projects: number,
): Promise<string[]> {
  const client = new pg.Client(stack.adminDatabaseUrl)
  await client.connect()
  const apart = accessPoints / SCANS
  const scans = Array.from({ length: SCANS }, (_, scan) =>
    Buffer.from(
      encodeReadings(
        Array.from({ length: READINGS }, (_, reading) => ({
          bssid: addressOf((Math.floor(scan * apart) + reading) % accessPoints),
          signalDbm: -45 - reading,
        })),
      ),
    ),
  )
  const ids = Array.from({ length: projects }, () => randomUUID())
  await client.query(
    `INSERT INTO location.reference_scans
       (project_id, cell, id, organization_id, at_seconds, lat, lon, accuracy, readings, received_at)
     SELECT project, scan, gen_random_uuid(), $1, 1.7e9 + scan, 45 + scan / 1000 * 1e-3, 5 + scan % 1000 * 1e-3, 5, readings, now()
     FROM unnest($2::uuid[]) AS project, unnest($3::bytea[]) WITH ORDINALITY AS scans (readings, scan)`,
    [organizationId, ids, scans],
  )
  await client.query(
    'INSERT INTO location.reference_sets SELECT project, $1, 1 FROM unnest($2::uuid[]) AS project',
    [organizationId, ids],
  )
  // Radii are not fitted to them meanwhile.
  await client.query(
    'INSERT INTO location.calibrations (organization_id, outcomes, claimed_at) VALUES ($1, 0, now())',
    [organizationId],
  )
  await client.query('VACUUM ANALYZE location.reference_scans')
  await client.end()
  return ids
}
