import { newOrganization, newProject, type TestOrganization } from '@bearing/testing/factories'
import type { StackAddresses } from '@bearing/testing/addresses'
import { Client } from 'pg'

const ORGANIZATIONS = 4
const PROJECTS_EACH = 25
/** Access points at one place. */
const PER_PLACE = 20
const PLACES = 50_000
/** Locally administered; each is 64 further than the last: a radio of its own. */
const FIRST_BSSID = 0x02_00_00_00_00_00

/** A project, and the key that its devices have. */
export interface FleetProject {
  readonly id: string
  readonly slug: string
  readonly organization: TestOrganization
  key: string
}

/** Creates projects of several organizations, and their devices and access points by SQL. */
export async function storeFleet(stack: StackAddresses, devices: number): Promise<FleetProject[]> {
  const projects: FleetProject[] = []
  while (projects.length < ORGANIZATIONS * PROJECTS_EACH) {
    const organization = await newOrganization(stack)
    for (let number = 0; number < PROJECTS_EACH; number++) {
      const { id, slug, key } = number === 0 ? organization.project : await newProject(organization)
      const address = { organization: organization.slug, project: slug }
      const locating = { ...address, project_key_may_locate: true }
      await organization.admin.client.call('changeProjectSettings', locating)
      projects.push({ id, slug, organization, key })
    }
  }
  const admin = new Client({ connectionString: stack.adminDatabaseUrl })
  await admin.connect()
  await admin.query(
    `INSERT INTO management.devices (id, project_id, serial, last_seen_at, created_at)
     SELECT gen_random_uuid(), ($1::uuid[])[1 + n % $2], 'D-' || n, now(), now()
     FROM generate_series(0, $3::int - 1) AS n`,
    [projects.map(({ id }) => id), projects.length, devices],
  )
  await admin.query(
    `INSERT INTO location.access_points (organization_id, bssid, lat, lon, spread, weight, observations, declared, updated_at)
     SELECT '00000000-0000-0000-0000-000000000000', ${String(FIRST_BSSID)} + n::bigint * 64, 45 + n / ${String(PER_PLACE)} % 200 * 1e-3,
       5 + n / ${String(PER_PLACE)} / 200 * 1e-3, 20, 1, 5, false, now()
     FROM generate_series(0, ${String(PLACES * PER_PLACE)} - 1) AS n`,
  )
  await admin.query('VACUUM (ANALYZE) management.devices, location.access_points')
  await admin.end()
  return projects
}

/** Returns the body of a scan at the place of a device. */
export function scanOf(device: number): string {
  const first = (device % PLACES) * PER_PLACE
  const accessPoints = Array.from({ length: PER_PLACE }, (_, index) => ({
    macAddress: formatted(FIRST_BSSID + (first + index) * 64),
    signalStrength: -45 - index,
  }))
  return JSON.stringify({ accessPoints })
}

function formatted(bssid: number): string {
  return (bssid.toString(16).padStart(12, '0').match(/../g) ?? []).join(':')
}
