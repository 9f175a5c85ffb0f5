import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { bearing } from '../tools/bearing.js'
import { send } from '../tools/http.js'

const own = forSuite(() => newOrganization())
const folder = folderForSuite()

const FLOORS = [0, 1, 2]
const METERS_APART = 4

/** Each floor has six radios; a floor above or below they are heard 22 dB weaker. */
function heardOn(floor: number, noise: number) {
  return FLOORS.flatMap((other) =>
    Array.from({ length: 6 }, (_, number) => ({
      macAddress: (0x02_d0_00_00_00_00 + (other * 16 + number) * 0x1_00_40).toString(16).padStart(12, '0'),
      signalStrength: -45 - 22 * Math.abs(other - floor) - ((number * 7 + noise * 3) % 9),
    })),
  ).filter(({ signalStrength }) => signalStrength > -90)
}

function surveyed() {
  return FLOORS.flatMap((floor) =>
    Array.from({ length: 24 }, (_, index) => ({
      timestamp: Date.now() - 3_600_000 + (floor * 24 + index) * 20_000,
      device_id: 'surveyor',
      position: {
        ...{ latitude: 48.2 + index * 1e-5, longitude: 11.5, accuracy: 3 },
        ...{
          floor: floor === 0 ? 'Ground' : floor,
          altitude: 500 + METERS_APART * floor,
          altitudeAccuracy: 1,
        },
      },
      wifiAccessPoints: heardOn(floor, index),
    })),
  )
}

const base = () => `/v1/organizations/${own.slug}/projects/${own.project.slug}`
function call(method: string, path: string, body?: unknown) {
  const [gateway = ''] = testStack().gatewayUrls
  return send(gateway, method, `${base()}${path}`, {
    credential: own.token.credential,
    ...(body !== undefined && { body }),
  })
}
const locate = (floor: number, more: object = {}) =>
  call('POST', '/location/wifi', { accessPoints: heardOn(floor, 4), ...more })

it('what a survey says of floors and altitudes is in the positions that it finds, wherever they are shown', async () => {
  const file = join(folder, 'survey.jsonl')
  await writeFile(
    file,
    surveyed()
      .map((scan) => JSON.stringify(scan))
      .join('\n'),
  )
  expect(await bearing(own, ['observations', 'submit', file])).toMatchObject({ code: 0 })
  await eventually(async () => expect((await locate(2)).json).toMatchObject({ floor: { name: '2' } }), {
    withinMs: 90_000,
  })
  for (const [floor, name] of [
    [0, 'Ground'],
    [1, '1'],
  ] as const) {
    const { json } = await locate(floor)
    expect(json).toMatchObject({ floor: { name }, altitude: expect.closeTo(500 + METERS_APART * floor, 0) })
    const { floor: found, altitudeAccuracy } = json as {
      floor: { probability: number }
      altitudeAccuracy: number
    }
    expect(found.probability).toBeGreaterThan(0.8)
    expect(altitudeAccuracy).toBeLessThan(METERS_APART / 2)
  }
  const wifiAccessPoints = heardOn(1, 4)
  expect((await call('POST', '/location/ground-fix', { accessPoints: wifiAccessPoints })).json).toMatchObject(
    {
      floor: { name: '1' },
    },
  )
  expect((await call('POST', '/location/explain', { accessPoints: wifiAccessPoints })).json).toMatchObject({
    position: { floor: { name: '1' } },
  })
  expect(
    (await call('POST', '/location/wifi/batch', { scans: [{ accessPoints: wifiAccessPoints }] })).json,
  ).toMatchObject({ results: [{ location: { floor: { name: '1' } } }] })

  const exported = join(folder, 'export.jsonl')
  expect(await bearing(own, ['observations', 'export', '--output', exported])).toMatchObject({ code: 0 })
  const lines = (await readFile(exported, 'utf8')).trimEnd().split('\n')
  const positions = lines.map((line) => (JSON.parse(line) as { position: Record<string, unknown> }).position)
  const sent = surveyed().map(({ position }) => ({ ...position, floor: String(position.floor) }))
  const sorted = (all: readonly Record<string, unknown>[]) =>
    all.map((one) => JSON.stringify(Object.entries(one).sort())).sort()
  expect(sorted(positions)).toEqual(sorted(sent))
})

it('the floor of a device stays while one scan of several says something else', async () => {
  const previousScans = [4_000, 8_000, 12_000].map((age) => ({ age, accessPoints: heardOn(2, age) }))
  expect((await locate(2, { previousScans })).json).toMatchObject({ floor: { name: '2' } })
  expect((await locate(1, { previousScans })).json).toMatchObject({ floor: { name: '2' } })
})

it('the floor of a device is stored with its position, and is in the lists of positions', async () => {
  const policy = { store_positions: true, retention_days: 30 }
  expect(await call('PUT', '/location/position_policy', policy)).toMatchObject({ status: 200 })
  expect((await locate(1, { device_id: 'FLOOR-1' })).json).toMatchObject({
    stored: true,
    floor: { name: '1' },
  })
  const shown = {
    floor: { name: '1' },
    altitude: expect.any(Number) as unknown,
    altitudeAccuracy: expect.any(Number) as unknown,
  }
  expect((await call('GET', '/location/devices/FLOOR-1/position')).json).toMatchObject({ data: shown })
  expect((await call('GET', '/location/devices/FLOOR-1/positions')).json).toMatchObject({ data: [shown] })
  expect((await call('GET', '/location/positions/latest')).json).toMatchObject({ data: [shown] })
  expect((await bearing(own, ['positions', 'show', 'FLOOR-1'])).stdout).toMatch(/Floor\s+1 \(\d+ %\)/)
  expect((await bearing(own, ['positions', 'latest'])).stdout).toMatch(/1 \(\d+ %\)/)
})
