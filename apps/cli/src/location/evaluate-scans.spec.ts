import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { runCli } from '../specs/run-cli.js'

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

  it('is plotted, whatever the file is called', async () => {
    const svg = join(folder, 'plot.svg')
    const { code, stdout } = await evaluating('a<b>&"c.jsonl', GEOSUBMIT, '--plot', svg)
    expect(code).toBe(0)
    expect(stdout).toMatch(/60 +100\.0 %/)
    const plotted = await readFile(svg, 'utf8')
    expect(plotted).toContain('a&lt;b>&amp;"c.jsonl')
    expect(plotted).not.toMatch(/NaN|Infinity|undefined/)
    expect(plotted).not.toContain('<b>')
  })

  it('says how far off other estimators are that know the same', async () => {
    const { stdout } = await evaluating('a.jsonl', GEOSUBMIT)
    for (const name of ['Bearing', 'ichnaea-type', 'centroid'])
      expect(stdout).toMatch(new RegExp(`${name} +60 +100\\.0 % +[0-9.]+ m`))
    const { others } = JSON.parse((await evaluating('a.jsonl', GEOSUBMIT, '--json')).stdout) as {
      others: Record<string, { fixed: number; median_meters: number }>
    }
    expect(others).toMatchObject({ ichnaea: { fixed: 60 }, centroid: { fixed: 60 } })
  })

  it('has a map with a line for each scan, in one page that loads nothing', async () => {
    const far = GEOSUBMIT.split('\n')
      .slice(0, 20)
      .map((line) => line.replaceAll('"latitude":48', '"latitude":49').replaceAll('02:00:00:', '02:00:01:'))
    const lost = JSON.stringify({
      position: { latitude: 48.001, longitude: 11, accuracy: 5 },
      wifiAccessPoints: ['1', '2'].map((end) => ({
        macAddress: `02:00:02:00:00:0${end}`,
        signalStrength: -60,
      })),
    })
    const html = join(folder, 'map.html')
    const { code } = await evaluating('a<b>.jsonl', [GEOSUBMIT, ...far, lost].join('\n'), '--map', html)
    expect(code).toBe(0)
    const page = await readFile(html, 'utf8')
    expect(page.match(/<svg /g)).toHaveLength(2)
    expect(page.match(/<circle /g)).toHaveLength(80)
    expect(page.match(/<title>not located/g)).toHaveLength(1)
    expect(page).toMatch(/The 95 % radius holds [0-9.]+ % of the true places/)
    expect(page).toContain('a&lt;b>.jsonl')
    expect(page).not.toMatch(/NaN|Infinity|undefined|<script|src=|href=|url\(/)
  })

  it('of one scan that nothing locates has a map all the same', async () => {
    const html = join(folder, 'map.html')
    await evaluating('one.jsonl', GEOSUBMIT.split('\n')[0] ?? '', '--map', html)
    const page = await readFile(html, 'utf8')
    expect(page).toContain('not located')
    expect(page).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('is not started if the name of the map promises anything but HTML', async () => {
    const svg = join(folder, 'map.svg')
    const { code, stderr } = await evaluating('a.jsonl', GEOSUBMIT, '--map', svg)
    expect(code).toBe(2)
    expect(stderr).toContain('maps are HTML')
    await expect(readFile(svg)).rejects.toThrow('ENOENT')
  })

  it('is not started if the name of the plot promises anything but SVG', async () => {
    const png = join(folder, 'plot.PNG')
    const { code, stdout, stderr } = await evaluating('a.jsonl', GEOSUBMIT, '--plot', png)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('plots are SVG')
    expect(stderr).toContain('.svg')
    await expect(readFile(png)).rejects.toThrow('ENOENT')
  })

  it.each([
    ['positions.csv', 'bssid,lat,lon\n02:00:00:00:00:01,48,11\n', 'contains positions of access points'],
    ['empty.jsonl', '{"position":{}}\n', 'no scan with a known position'],
  ])('of %s is refused', async (name, content, said) => {
    const { code, stderr } = await evaluating(name, content)
    expect(code).toBe(2)
    expect(stderr).toContain(said)
  })

  it('of scans that have nothing in common says so, and is plotted all the same', async () => {
    const svg = join(folder, 'plot.svg')
    const lines = GEOSUBMIT.split('\n').slice(0, 2)
    const { code, stdout } = await evaluating('two.jsonl', lines.join('\n'), '--plot', svg, '--blocks', '2')
    expect(code).toBe(0)
    expect(stdout).toMatch(/2 +/)
    expect(await readFile(svg, 'utf8')).not.toMatch(/NaN|Infinity|undefined/)
    const one = await evaluating('one.jsonl', lines[0] ?? '', '--plot', svg)
    expect(one.stdout).toMatch(/1 +0\.0 % +–/)
    const plotted = await readFile(svg, 'utf8')
    expect(plotted).not.toMatch(/NaN|Infinity|undefined/)
    expect(plotted).toContain('no scan was located')
    expect(plotted).not.toContain('<path')
  })

  it('whose plot cannot be written is not started', async () => {
    const nowhere = join(folder, 'no', 'such', 'plot.svg')
    const { code, stderr, stdout } = await evaluating('a.jsonl', GEOSUBMIT, '--plot', nowhere)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('plot.svg cannot be written (ENOENT)')
    expect(stderr).not.toContain('blocks')
  })
})
