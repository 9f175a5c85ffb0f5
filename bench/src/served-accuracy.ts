import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { BARS, HELD_68, HELD_95 } from './location-accuracy/bar.js'
import { quantile } from './location-accuracy/flat.js'
import { readSets } from './location-accuracy/read-sets.js'
import type { Fold, ScanSet } from './location-accuracy/scan-set.js'
import { streetSet } from './location-accuracy/street.js'
import { ask, type Asked } from './served-accuracy/ask.js'
import { contribute } from './served-accuracy/contribute.js'

const HELP = `pnpm bench:served [folder with the sets] [--json]

Contributes real scans with known positions, places and signals alone, each set as an organization of its own, and asks for
the held-out ones through the gateway: what pnpm bench:location says of the estimator, said of the service. ✗ misses the bar.

  --json          print figures for programs
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
}

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
  const sets = [...(existsSync(folder) ? readSets(folder) : []), streetSet()]
  const learned = new Map<ScanSet, { readonly organization: TestOrganization; readonly fold: Fold }[]>()
  for (const set of sets) {
    say(`${set.name}: learning …`)
    const folds = []
    for (const fold of set.folds) {
      const organization = await newOrganization(stack)
      await contribute(organization, fold.train)
      folds.push({ organization, fold })
    }
    learned.set(set, folds)
  }
  say('radii are fitted: some two minutes …')
  await sleep(FITTED_MS)
  const served: Served[] = []
  for (const [{ name }, folds] of learned) {
    const asked: Asked[] = []
    for (const { organization, fold } of folds) asked.push(await ask(organization, fold.test))
    const one = servedOf(name, asked)
    served.push(one)
    if (!values.json) process.stdout.write(`${line(one)}\n`)
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ sets: served }, null, 2)}\n`)
} finally {
  await stack.stop()
}

function servedOf(name: string, asked: readonly Asked[]): Served {
  const fixes = asked.flatMap((one) => one.fixes)
  const scans = asked.reduce((sum, one) => sum + one.scans, 0)
  const errors = fixes.map(({ errorMeters }) => errorMeters)
  const held = (what: 'held68' | 'held95') => fixes.filter((fix) => fix[what]).length / fixes.length
  return {
    ...{ name, scans, fixed: fixes.length / scans },
    ...{ median_meters: quantile(errors, 0.5), p95_meters: quantile(errors, 0.95) },
    ...{ held_68: held('held68'), held_95: held('held95') },
  }
}

function line({ name, scans, fixed, median_meters, p95_meters, held_68, held_95 }: Served): string {
  const { medianMeters = Infinity, p95Meters = Infinity } = BARS[name] ?? {}
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const mark = (reached: boolean) => (reached ? '✓' : '✗')
  const median = `median ${median_meters.toFixed(2)} m ${mark(median_meters <= medianMeters)}`
  const p95 = `95 % ${p95_meters.toFixed(1)} m ${mark(p95_meters <= p95Meters)}`
  const radii = [
    `68 % radius holds ${percent(held_68)} ${mark(held_68 >= HELD_68.least && held_68 <= HELD_68.most)}`,
    `95 % radius ${percent(held_95)} ${mark(held_95 >= HELD_95.least)}`,
  ]
  const found = `${String(scans)} scans, ${percent(fixed)} fixed`
  return `${name.padEnd(16)} ${[found, median, p95, ...radii].join(', ')}`
}
