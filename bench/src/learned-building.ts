import { setTimeout as sleep } from 'node:timers/promises'
import type { TestOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { mac } from './access-points.js'
import { numbers } from './numbers.js'

/** A building: places in a grid of 25 by 20, 8 m apart, among 1,000 access points. */
const PLACES = 500
const COLUMNS = 25
const APART_METERS = 8
const ACCESS_POINTS = 1_000
const PER_PLACE = 20
/** Scans whose place is known, at each place. */
const SURVEYED = 20
const SUBMISSION = 200
/** Of addresses that nothing else here has. */
const FIRST_BSSID = 0x0a_00_00_00_00_00
const DEGREE_METERS = 111_195
const CORNER = { lat: 46, lon: 6 }
const LEARNED_MS = 120_000

interface Spot {
  readonly x: number
  readonly y: number
}

/**
 * Has an organization contribute a survey of a building as devices do, and waits until all of it is learned: positions there
 * come from coverage, signal fields and reference scans.
 *
 * @returns scans to locate, one at each place
 */
export async function learnBuilding(stack: Stack, organization: TestOrganization): Promise<string[]> {
  const random = numbers(7)
  const side = { x: COLUMNS * APART_METERS, y: (PLACES / COLUMNS) * APART_METERS }
  const accessPoints = Array.from({ length: ACCESS_POINTS }, () => ({
    x: random() * side.x,
    y: random() * side.y,
  }))
  const places = Array.from({ length: PLACES }, (_, place) => ({
    x: ((place % COLUMNS) + 0.5) * APART_METERS,
    y: (Math.floor(place / COLUMNS) + 0.5) * APART_METERS,
  }))
  const surveyed = Array.from({ length: SURVEYED }, () => places)
    .flat()
    .map((spot, number) => ({
      device_id: `surveyor-${String(number)}`,
      position: {
        latitude: CORNER.lat + spot.y / DEGREE_METERS,
        longitude: CORNER.lon + spot.x / (DEGREE_METERS * Math.cos((CORNER.lat * Math.PI) / 180)),
        accuracy: 5,
      },
      wifiAccessPoints: heardAt(spot, accessPoints, random),
    }))
  const { client } = organization.token
  for (let at = 0; at < surveyed.length; at += SUBMISSION)
    await client.call('submitObservations', {
      organization: organization.slug,
      project: organization.project.slug,
      items: surveyed.slice(at, at + SUBMISSION),
    })
  await learned(stack, organization.id, surveyed.length)
  return places.map((spot) => JSON.stringify({ accessPoints: heardAt(spot, accessPoints, random) }))
}

/** The nearest access points, with the path loss of buildings (exponent 3) and up to 8 dB of noise. */
function heardAt(spot: Spot, accessPoints: readonly Spot[], random: () => number) {
  return accessPoints
    .map((accessPoint, number) => ({
      number,
      meters: Math.hypot(accessPoint.x - spot.x, accessPoint.y - spot.y, 3),
    }))
    .sort((one, other) => one.meters - other.meters)
    .slice(0, PER_PLACE)
    .map(({ number, meters }) => ({
      macAddress: mac(FIRST_BSSID + number * 64),
      signalStrength: Math.round(-35 - 30 * Math.log10(meters) - 8 * random()),
    }))
}

async function learned(stack: Stack, organizationId: string, observations: number): Promise<void> {
  const database = new pg.Client(stack.adminDatabaseUrl)
  await database.connect()
  try {
    const end = performance.now() + LEARNED_MS
    while (performance.now() < end) {
      const { rows } = await database.query<{ learned: string; kept: string }>(
        `SELECT (SELECT count(*) FROM location.observations WHERE organization_id = $1 AND refusal IS NULL) AS learned,
           (SELECT count(*) FROM location.reference_scans WHERE organization_id = $1) AS kept`,
        [organizationId],
      )
      if (Number(rows[0]?.learned) === observations && Number(rows[0]?.kept) === observations) return
      await sleep(200)
    }
    throw new Error('not all observations were learned from')
  } finally {
    await database.end()
  }
}
