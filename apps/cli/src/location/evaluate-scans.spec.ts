import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { runCli } from '../testing/run-cli.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bearing-spec-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Scans along a street with an access point each 20 m. */
const scans = Array.from({ length: 60 }, (_, index) => {
  const at = (index * 7.3) % 200
  const heard = Array.from({ length: 11 }, (_place, place) => ({
    mac: `02:00:00:${place.toString(16).padStart(2, '0')}:00:01`,
    dbm: Math.round(-45 - Math.abs(place * 20 - at) / 3),
  })).filter(({ dbm }) => dbm > -90)
  return { lat: 48 + at / 111_195, lon: 11, heard }
})
const GEOSUBMIT = scans
  .map(({ lat, lon, heard }, index) =>
    JSON.stringify({
      timestamp: 1.6e12 + index * 1e6,
      position: { latitude: lat, longitude: lon, accuracy: 5 },
      wifiAccessPoints: heard.map(({ mac, dbm }) => ({ macAddress: mac, signalStrength: dbm })),
    }),
  )
  .join('\n')
const WIGLE = [
  'WigleWifi-1.4,x',
  'MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type',
  ...scans.flatMap(({ lat, lon, heard }) =>
    heard.map(
      ({ mac, dbm }) =>
        `${mac},,,2024-01-01 10:00:00,6,${String(dbm)},${lat.toFixed(7)},${lon.toFixed(7)},0,4,WIFI`,
    ),
  ),
].join('\n')

async function evaluating(name: string, content: string, ...args: string[]) {
  const path = join(folder, name)
  await writeFile(path, content)
  return runCli(['location', 'evaluate', path, ...args], { environment: {} })
}

describe('an evaluation', () => {
  it.each([
    ['geosubmit', GEOSUBMIT],
    ['wigle', WIGLE],
  ])('of %s needs no server, and says how far off scans are', async (name, content) => {
    const { code, stdout } = await evaluating(name, content, '--json')
    expect(code).toBe(0)
    const { median_meters, coverage, ...counts } = JSON.parse(stdout) as {
      median_meters: number
      coverage: { confidence: number; held: number }[]
    }
    expect(counts).toMatchObject({ scans: 60, fixed: 60 })
    expect(median_meters).toBeLessThan(20)
    expect(coverage.map(({ confidence }) => confidence)).toEqual(
      Array.from({ length: 50 }, (_, index) => 50 + index),
    )
    expect(coverage[49]?.held).toBeGreaterThan(0.9)
  })

  it('writes a line for each scan that was located, and a point for each other one', async () => {
    const lost = JSON.stringify({
      position: { latitude: 48.001, longitude: 11, accuracy: 5 },
      wifiAccessPoints: ['1', '2'].map((end) => ({
        macAddress: `02:00:02:00:00:0${end}`,
        signalStrength: -60,
      })),
    })
    const path = join(folder, 'errors.geojson')
    const { code } = await evaluating('a<b>.jsonl', `${GEOSUBMIT}\n${lost}`, '--geojson', path)
    expect(code).toBe(0)
    const { features } = JSON.parse(await readFile(path, 'utf8')) as {
      features: { geometry: { type: string; coordinates: unknown }; properties: { error_meters?: number } }[]
    }
    const types = features.map(({ geometry }) => geometry.type)
    expect(types).toEqual([...Array<string>(60).fill('LineString'), 'Point'])
    expect(features[60]).toMatchObject({ properties: {}, geometry: { coordinates: [11, 48.001] } })
    expect(features[0]?.properties.error_meters).toBeLessThan(50)
  })

  it.each([
    ['positions.csv', 'bssid,lat,lon\n02:00:00:00:00:01,48,11\n', 'contains positions of access points'],
    ['empty.jsonl', '{"position":{}}\n', 'no scan with a known position'],
  ])('of %s is refused', async (name, content, said) => {
    const { code, stderr } = await evaluating(name, content)
    expect(code).toBe(2)
    expect(stderr).toContain(said)
  })

  it('of scans that have nothing in common says so', async () => {
    const lines = GEOSUBMIT.split('\n').slice(0, 2)
    const two = await evaluating('two.jsonl', lines.join('\n'), '--blocks', '2')
    expect(two).toMatchObject({ code: 0, stdout: expect.stringMatching(/2 +/) as unknown })
    const one = await evaluating('one.jsonl', lines[0] ?? '')
    expect(one.stdout).toMatch(/1 +0\.0 % +–/)
  })

  it('whose GeoJSON cannot be written is not started', async () => {
    const nowhere = join(folder, 'no', 'such', 'errors.geojson')
    const { code, stderr, stdout } = await evaluating('a.jsonl', GEOSUBMIT, '--geojson', nowhere)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('errors.geojson cannot be written (ENOENT)')
    expect(stderr).not.toContain('blocks')
  })
})
