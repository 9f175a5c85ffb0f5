import { connectTo } from '@bearing/testing/connect-to'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { stackForSuite } from '@bearing/testing/for-suite'
import { beforeAll, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'

const BASE_LAYER = '00000000-0000-0000-0000-000000000000'
const NEIGHBORHOODS = 20_000
const BATCH = 100
const PER_MINUTE = 120
const MINUTE_MS = 60_000
/** The neighborhood of the target: the last one that is asked. */
const TARGET = NEIGHBORHOODS - 1
const BSSIDS = { companions: 0x02_e0_00_00_00_00, target: 0x02_e1_00_00_00_00 }

const stack = stackForSuite({ oneProcess: true })
beforeAll(async () => {
  await using database = await connectTo(stack.databaseUrls.location)
  // Two access points every 2 km or more, of a radio each, and the target beside the last two.
  await database.query(
    `INSERT INTO access_points
     SELECT $1::bigint + number * 64, $2, (number / 2 / 200) * 0.05 + 1, (number / 2 % 200) * 0.05 + 1, 10, 1, 5, false, now()
     FROM generate_series(0, $3::int) AS number`,
    [BSSIDS.companions, BASE_LAYER, 2 * NEIGHBORHOODS - 1],
  )
  await database.query(
    `INSERT INTO access_points SELECT $1, organization_id, lat, lon, 10, 1, 5, false, now() FROM access_points WHERE bssid = $2`,
    [BSSIDS.target, BSSIDS.companions + 2 * TARGET * 64],
  )
})

const heard = (bssid: number) => ({
  macAddress: bssid.toString(16).padStart(12, '0'),
  signalStrength: -60,
})
const probe = (neighborhood: number) => ({
  accessPoints: [
    heard(BSSIDS.companions + 2 * neighborhood * 64),
    heard(BSSIDS.companions + (2 * neighborhood + 1) * 64),
    heard(BSSIDS.target),
  ],
})

it('20,000 neighborhoods of the base layer are not searched: no more than 120 are answered in a minute, with any credential of one creator', async () => {
  const own = await newOrganization(stack)
  const other = await own.admin.client.call('createOrganization', { name: 'Other' })
  const otherProject = await own.admin.client.call('createProject', {
    organization: other.slug,
    name: 'Other',
  })
  const project = await newProject(own)
  const { slug } = project
  const locatable = { organization: own.slug, project: slug, project_key_may_locate: true }
  await own.admin.client.call('changeProjectSettings', locatable)
  const url = stack.gatewayUrls[0] ?? ''
  const askers = [
    { scope: { organization: own.slug, project: slug } },
    { scope: { organization: other.slug, project: otherProject.slug } },
  ]
  const startedAtMs = performance.now()
  let answered = 0
  let found = 0
  const note = (known: number | undefined) => {
    if (known === undefined) return
    answered++
    if (known === 3) found++
  }
  for (let start = 0; start < NEIGHBORHOODS; start += BATCH) {
    const scope = askers[(start / BATCH) % askers.length]?.scope ?? { organization: '', project: '' }
    const scans = Array.from({ length: BATCH }, (_, index) => probe(start + index))
    const { results } = await own.admin.client.call('resolveWifiBatch', { ...scope, scans })
    for (const { location } of results) note(location?.accessPoints.known)
  }
  // The key of a project is in the hands of everybody who has a device.
  for (const neighborhood of [0, 1, TARGET]) {
    const { accessPoints } = probe(neighborhood)
    const reply = await send(url, 'POST', `/v1/geolocate?key=${project.key}`, {
      body: { wifiAccessPoints: accessPoints },
    })
    if (reply.status === 200) answered++
  }
  const minutes = 1 + Math.floor((performance.now() - startedAtMs) / MINUTE_MS)
  process.stdout.write(`${String(answered)} of ${String(NEIGHBORHOODS)} answered in ${String(minutes)} min\n`)
  expect(answered).toBeGreaterThan(0)
  expect(answered).toBeLessThanOrEqual(PER_MINUTE * minutes)
  expect(found).toBe(0)
})
