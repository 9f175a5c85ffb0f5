import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { BARS, HELD_68, HELD_95 } from './location-accuracy/bar.js'
import { quantile } from './location-accuracy/flat.js'
import { hardStreets } from './location-accuracy/hard-street/hard-street.js'
import { judge } from './location-accuracy/judge.js'
import { readSets } from './location-accuracy/read-sets.js'
import type { Fold, ScanSet, TrueScan } from './location-accuracy/scan-set.js'
import { shippedOf } from './location-accuracy/shipped.js'
import { streetSet } from './location-accuracy/street.js'
import { ask, type Asked } from './served-accuracy/ask.js'
import { contribute, type Contributed } from './served-accuracy/contribute.js'

const HELP = `pnpm bench:served [folder with the sets] [--json] [--only <part of a name>]

Contributes real scans with known positions, each set as an organization of its own, and asks for the held-out ones through
the gateway: what pnpm bench:location says of the estimator, said of the service. Of real sets places and signals alone are
contributed, of hard streets also times, devices and ages, and once more as WiGLE logs. ✗ misses the bar, or differs from
pnpm bench:location by more than 5 %.

  --json          print figures for programs
  --only <part>   sets whose name contains this
`
/** Real scans are not part of the project. */
const DATA = join(import.meta.dirname, '..', '..', '..', 'shared', 'data')
/** Radii of an organization are fitted again if much is new, which is checked every minute. */
const FITTED_MS = 130_000

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const folder = positionals[0] ?? process.env['BEARING_SCANS'] ?? DATA
if (!existsSync(folder))
  process.stderr.write(`There are no real scans in ${folder}: name the folder, or set BEARING_SCANS.\n`)
const say = (text: string) => process.stderr.write(`${text}\n`)

/** What came of a set. Shares are 0 to 1. */
interface Served {
  readonly name: string
  readonly scans: number
  readonly fixed: number
  readonly median_meters: number
  readonly p95_meters: number
  readonly held_68: number
  readonly held_95: number
  /** What the estimator reaches without the service. */
  readonly bench_median_meters: number
  readonly followed_median_meters: number | undefined
  readonly bench_followed_median_meters: number | undefined
}

/** A set, and how it is contributed. */
interface Contribution {
  readonly name: string
  readonly set: ScanSet
  readonly what: Contributed
}

/** How far a figure of the service may be from that of the estimator alone. */
const AGREES = 0.05

const quiet = { LOG_LEVEL: 'warn' }
const stack = await startStack({
  postgres: 'own',
  environment: {
    gateway: { ...quiet, REQUESTS_PER_CREDENTIAL: '0' },
    identity: quiet,
    management: quiet,
    location: quiet,
  },
})
try {
  const sets = [...(existsSync(folder) ? readSets(folder) : []), streetSet(), ...hardStreets()]
  const contributions = sets
    .flatMap((set): Contribution[] =>
      set.hasWalks
        ? [
            { name: set.name, set, what: 'walks' },
            { name: `${set.name}, logs`, set, what: 'logs' },
          ]
        : [{ name: set.name, set, what: 'places' }],
    )
    .filter(({ name }) => name.includes(values.only))
  const learned = new Map<Contribution, { readonly organization: TestOrganization; readonly fold: Fold }[]>()
  for (const contribution of contributions) {
    const { name, set, what } = contribution
    say(`${name}: learning …`)
    const folds = []
    for (const fold of set.folds) {
      const organization = await newOrganization(stack)
      await contribute(organization, fold.train, what)
      folds.push({ organization, fold })
    }
    learned.set(contribution, folds)
  }
  say('radii are fitted: some two minutes …')
  await sleep(FITTED_MS)
  const served: Served[] = []
  for (const [{ name, set, what }, folds] of learned) {
    const asked: Asked[] = []
    for (const { organization, fold } of folds)
      asked.push(await ask(organization, fold.test, set.isTracked === true))
    const one = servedOf(name, what === 'logs' ? withoutAges(set) : set, asked)
    served.push(one)
    if (!values.json) process.stdout.write(`${line(one)}\n`)
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ sets: served }, null, 2)}\n`)
} finally {
  await stack.stop()
}

/** Returns a set as logs have it: what is learned from has no ages. */
function withoutAges(set: ScanSet): ScanSet {
  const logged = (scan: TrueScan): TrueScan => ({
    ...scan,
    accessPoints: scan.accessPoints.map((reading) => ({ ...reading, ageMs: 0 })),
  })
  return { ...set, folds: set.folds.map(({ train, test }) => ({ train: train.map(logged), test })) }
}

function servedOf(name: string, set: ScanSet, asked: readonly Asked[]): Served {
  const fixes = asked.flatMap((one) => one.fixes)
  const scans = asked.reduce((sum, one) => sum + one.scans, 0)
  const errors = fixes.map(({ errorMeters }) => errorMeters)
  const followed = fixes.flatMap(({ followedErrorMeters }) => followedErrorMeters ?? [])
  const held = (what: 'held68' | 'held95') => fixes.filter((fix) => fix[what]).length / fixes.length
  return {
    ...{ name, scans, fixed: fixes.length / scans },
    ...{ median_meters: quantile(errors, 0.5), p95_meters: quantile(errors, 0.95) },
    ...{ held_68: held('held68'), held_95: held('held95') },
    bench_median_meters: judge(set).bearing.medianMeters,
    followed_median_meters: followed.length > 0 ? quantile(followed, 0.5) : undefined,
    bench_followed_median_meters: shippedOf(set).followed?.medianMeters,
  }
}

function line(served: Served): string {
  const { name, scans, fixed, median_meters, p95_meters, held_68, held_95 } = served
  const { medianMeters = Infinity, p95Meters = Infinity } = BARS[name] ?? {}
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const mark = (reached: boolean) => (reached ? '✓' : '✗')
  const median = `median ${median_meters.toFixed(2)} m ${mark(median_meters <= medianMeters)}`
  const p95 = `95 % ${p95_meters.toFixed(1)} m ${mark(p95_meters <= p95Meters)}`
  const radii = [
    `68 % radius holds ${percent(held_68)} ${mark(held_68 >= HELD_68.least && held_68 <= HELD_68.most)}`,
    `95 % radius ${percent(held_95)} ${mark(held_95 >= HELD_95.least)}`,
  ]
  const agreement = (meters: number, bench: number) =>
    `bench ${bench.toFixed(2)} m ${mark(Math.abs(meters / bench - 1) <= AGREES)}`
  const { bench_median_meters, followed_median_meters: followed, bench_followed_median_meters } = served
  const agreements = [
    agreement(median_meters, bench_median_meters),
    ...(followed !== undefined && bench_followed_median_meters !== undefined
      ? [`followed ${followed.toFixed(2)} m, ${agreement(followed, bench_followed_median_meters)}`]
      : []),
  ]
  const found = `${String(scans)} scans, ${percent(fixed)} fixed`
  return `${name.padEnd(20)} ${[found, median, ...agreements, p95, ...radii].join(', ')}`
}
