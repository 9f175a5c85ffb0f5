import { spawn } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { describe, expect, it } from '@jest/globals'
import { bearing } from '../tools/bearing.js'
import { send, type Reply } from '../tools/http.js'
import { ROOT } from '../tools/root.js'

/** Real scans with known positions; not part of the project. */
const DATA = process.env['BEARING_SCANS'] ?? join(ROOT, '..', 'shared', 'data')
const REASON = existsSync(DATA) ? '' : ` (skipped: no real scans at ${DATA}, set BEARING_SCANS)`
const EARTH_RADIUS_M = 6_371_008.8
const CONCURRENT = 16
/** Time limit for learning on a busy machine, in milliseconds. */
const LEARNED_MS = 240_000

interface Scan {
  readonly lat: number
  readonly lon: number
  readonly accessPoints: readonly { readonly macAddress: string; readonly signalStrength: number }[]
}

/**
 * Medians that an unweighted centroid of the same access points reaches, in meters: to be beaten by what was imported. And those
 * that are aimed at where scans were learned from.
 */
const SETS = [
  { set: 'mall', centroidMedianM: 11.2, learnedMedianM: 5.3 },
  { set: 'uji', centroidMedianM: 13.3, learnedMedianM: 4.2 },
]
/** Observations of one submission: below its largest body. */
const SUBMITTED_TOGETHER = 150

const describeWithData = REASON === '' ? describe : describe.skip

describeWithData(`accuracy on real scans, imported and located through the gateway${REASON}`, () => {
  it.each(SETS)(
    '$set: the median error is below that of a centroid, and the 68 % radius holds what it says',
    async ({ set, centroidMedianM }) => {
      const organization = await newOrganization()
      await importTraining(organization, set)
      const { median, fixed, held } = await judged(organization, set, 'imported')
      expect(median).toBeLessThan(centroidMedianM)
      expect(fixed).toBeGreaterThan(0.97)
      expect(held).toBeGreaterThan(0.55)
      expect(held).toBeLessThan(0.85)
    },
  )

  it.each(SETS)(
    '$set: learned from places and signals alone, without times, devices and accuracies, the median error is what is aimed at',
    async ({ set, learnedMedianM }) => {
      const organization = await newOrganization()
      await submitTraining(organization, set)
      const { median, fixed } = await judged(organization, set, 'learned')
      expect(median).toBeLessThan(learnedMedianM)
      expect(fixed).toBeGreaterThan(0.99)
    },
  )

  async function submitTraining(organization: TestOrganization, set: string): Promise<void> {
    const items = (await scansOf(set, 'train')).map(({ lat, lon, accessPoints }, index) => ({
      id: String(index),
      position: { latitude: lat, longitude: lon },
      wifiAccessPoints: accessPoints,
    }))
    for (let start = 0; start < items.length; start += SUBMITTED_TOGETHER) {
      const body = { items: items.slice(start, start + SUBMITTED_TOGETHER) }
      expect(await asked(organization, 'observations', body)).toMatchObject({ status: 202 })
    }
    // Each submission is learned from as a whole, and each of these scans contains something to learn from.
    const ids = items.filter((_, index) => index % SUBMITTED_TOGETHER === 0).map(({ id }) => id)
    await eventually(
      async () => {
        const { json } = await asked(organization, 'observations/find', { ids })
        expect(json?.data).toEqual({ known: ids.map(() => true) })
      },
      { withinMs: LEARNED_MS, everyMs: 250 },
    )
  }

  async function judged(organization: TestOrganization, set: string, how: string) {
    const scans = await scansOf(set, 'test')
    const fixes = (await locateAll(organization, scans)).filter((fix) => fix !== undefined)
    const errors = fixes.map((fix) => fix.errorM).sort((a, b) => a - b)
    const median = quantile(errors, 0.5)
    const fixed = fixes.length / scans.length
    const held = fixes.filter((fix) => fix.errorM <= fix.uncertaintyM).length / fixes.length
    // Kept in the log of the run: bench/NOTES.md is written from it.
    process.stdout.write(
      `${set}, ${how}: ${String(scans.length)} scans, ${(fixed * 100).toFixed(1)} % fixed, median ${median.toFixed(1)} m, 95 % ${quantile(errors, 0.95).toFixed(1)} m, 68 % radius holds ${(held * 100).toFixed(0)} %\n`,
    )
    return { median, fixed, held }
  }

  async function scansOf(set: string, part: 'train' | 'test'): Promise<Scan[]> {
    return (await printed('to-scans.mjs', set, part))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Scan)
  }

  async function importTraining(organization: TestOrganization, set: string): Promise<void> {
    const directory = await mkdtemp(join(tmpdir(), 'bearing-scans-'))
    const file = join(directory, `${set}.csv`)
    const script = spawn(process.execPath, [join(DATA, 'to-wigle.mjs'), set, 'train'])
    await pipeline(script.stdout, createWriteStream(file))
    const imported = await bearing(organization, ['--json', 'access-points', 'import', file])
    await rm(directory, { recursive: true })
    expect(imported).toMatchObject({ code: 0 })
  }

  async function locateAll(organization: TestOrganization, scans: readonly Scan[]) {
    const results: ({ errorM: number; uncertaintyM: number } | undefined)[] = []
    let next = 0
    await Promise.all(
      Array.from({ length: CONCURRENT }, async () => {
        for (let scan = scans[next++]; scan; scan = scans[next++])
          results.push(await locate(organization, scan))
      }),
    )
    return results
  }
})

/** Sends something to what is under `location/` of the organization's project. */
function asked({ slug, project, token }: TestOrganization, what: string, body: object): Promise<Reply> {
  const path = `/v1/organizations/${slug}/projects/${project.slug}/location/${what}`
  return send(testStack().gatewayUrls[0] ?? '', 'POST', path, { credential: token.credential, body })
}

async function locate(organization: TestOrganization, scan: Scan) {
  const { accessPoints } = scan
  const reply = await asked(organization, 'wifi', { accessPoints })
  if (reply.status !== 200) return undefined
  const { lat, lon, uncertainty } = reply.json as unknown as { lat: number; lon: number; uncertainty: number }
  return { errorM: distanceM(scan, { lat, lon }), uncertaintyM: uncertainty }
}

function printed(script: string, ...args: string[]): Promise<string> {
  return text(spawn(process.execPath, [join(DATA, script), ...args]).stdout)
}

/** Great-circle distance in meters (haversine). */
function distanceM(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const h =
    Math.sin(radians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lon - a.lon) / 2) ** 2
  return 2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(h))
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
