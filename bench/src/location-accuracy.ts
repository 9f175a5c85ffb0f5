import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MOVED } from './location-accuracy/bar.js'
import { calibrationOf, fitTo, leftOutOf, type Fitted } from './location-accuracy/calibrate.js'
import { floorVerdicts, judgeFloors, printedFloors } from './location-accuracy/floors.js'
import { halls } from './location-accuracy/halls.js'
import { drives, hardStreets, otherTowns } from './location-accuracy/hard-street/hard-street.js'
import { judge, thinned, type Figures, type Judged } from './location-accuracy/judge.js'
import { measureLatency } from './location-accuracy/latency.js'
import { readSets } from './location-accuracy/read-sets.js'
import { printed, verdictsOf, type SetReport } from './location-accuracy/report.js'
import { shippedOf } from './location-accuracy/shipped.js'
import type { ScanSet } from './location-accuracy/scan-set.js'
import { sparser } from './location-accuracy/sparser.js'
import { streetSet } from './location-accuracy/street.js'
import { positionsAlone, withoutReferences } from './location-accuracy/surveyed.js'
import type { Learned } from '@bearing/positioning/learning/evidence/learn-scans'
import { numbers } from './numbers.js'

const HELP = `pnpm bench:location [folder with the sets] [--json] [--every <n>]

Compares the location estimator with others on real scans with known positions, and with the bar.

  --json       print figures for programs
  --every <n>  ask with every n-th held-out scan only
`
/** Real scans are not part of the project. */
const DATA = join(import.meta.dirname, '..', '..', '..', 'shared', 'data')
/** Made-up halls that radii are fitted to. */
const HALLS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
/** Made-up towns in which every device drives. */
const DRIVES = [21, 22, 23, 24]
/** Made-up towns that radii are fitted to beside the sets, asked with every fourth scan, and others that they are judged by. */
const TOWNS = { fitted: [1, 2, 3, 4, 5, 6, 7, 8], every: 4, unseen: [11, 12, 13, 14] } as const

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const folder = positionals[0] ?? process.env['BEARING_SCANS'] ?? DATA
const hasScans = existsSync(folder)
if (!hasScans)
  process.stderr.write(`There are no real scans in ${folder}: name the folder, or set BEARING_SCANS.\n`)

const every = Number(values.every)
const thinnedSets = (all: readonly ScanSet[], by: number) =>
  all.map((set): ScanSet => ({ ...set, folds: set.folds.map((fold) => thinned(fold, by)) }))
const sets = thinnedSets([...(hasScans ? readSets(folder) : []), streetSet(), ...hardStreets()], every)
const towns = thinnedSets(otherTowns(TOWNS.fitted), TOWNS.every)
const unseen = thinnedSets([...otherTowns(TOWNS.unseen), ...drives(DRIVES)], every).map((set) => ({
  name: set.name,
  shipped: shippedOf(set),
}))
const judged = sets.map((set) => judge(set))
const unreferenced = sets.map((set) => judge(set, withoutReferences))
const imported = sets.map((set) => judge(set, positionsAlone))
// Hard streets are sparse as they are.
const sparse = sets.filter(({ group, hasWalks }) => group !== 'mall' && !hasWalks).flatMap(sparser)
const weighted = (judgements: readonly Judged[], weight: number, isBinding = false) =>
  judgements.map((one): Fitted => ({ ...one, weight, isBinding }))
// Thinned sets, of which there are two for each set, decide little: devices do not scan like that.
const calibrating = [
  ...weighted(judged, 1, true),
  ...weighted(unreferenced, 0.7),
  ...weighted(imported, 1, true),
  ...sparse.flatMap((set) => [
    ...weighted([judge(set), judge(set, positionsAlone)], 0.2),
    ...weighted([judge(set, withoutReferences)], 0.1),
  ]),
  ...[...towns, ...halls(HALLS)].flatMap((set) => [
    ...weighted([judge(set, (one) => one), judge(set, positionsAlone)], 0.3),
    ...weighted([judge(set, withoutReferences)], 0.15),
  ]),
]
const shipped = fitTo(calibrating)
const reports = judged.map((one, index): SetReport => ({
  judged: one,
  calibration: calibrationOf(one, imported[index] ?? one, calibrating),
  unreferenced: unreferencedOf(unreferenced[index]),
  spoiled: judge(one.set, (learned) => moved(learned, MOVED.share)).bearing,
  shipped: shippedOf(one.set),
}))
const real = hasScans ? thinnedSets(readSets(folder), every) : []
const floors = [...real, ...real.filter(({ name }) => !name.includes('1/')).flatMap(sparser)]
  .filter(({ name }, index, all) => all.findIndex((one) => one.name === name) === index)
  .map(judgeFloors)
const [largest] = sets.filter(({ name }) => name === 'mall' || !hasScans)
const latencies = largest ? measureLatency(largest) : []

process.stdout.write(values.json ? `${JSON.stringify(forPrograms(), null, 2)}\n` : forPeople())

function unreferencedOf(one: Judged | undefined): SetReport['unreferenced'] {
  return one && { figures: one.bearing, held: leftOutOf(one, calibrating) }
}

function forPeople(): string {
  const coefficients = (['p68', 'p95'] as const).map(
    (quantile) => `${quantile}: [${shipped[quantile].map((value) => value.toFixed(3)).join(', ')}]`,
  )
  return `${printed(reports, unseen, latencies)}\n${printedFloors(floors)}\ncoefficients fitted to all places\n${coefficients.join('\n')}\n`
}

function forPrograms() {
  const without = ({ errors: _, ...figures }: Figures) => figures
  return {
    sets: reports.map((report) => ({
      name: report.judged.set.name,
      bearing: without(report.judged.bearing),
      others: Object.fromEntries([...report.judged.others].map(([name, one]) => [name, without(one)])),
      moved: without(report.spoiled),
      unreferenced: report.unreferenced && {
        ...without(report.unreferenced.figures),
        held: report.unreferenced.held,
      },
      radii: report.calibration,
      shipped: report.shipped,
      bar: verdictsOf(report),
    })),
    unseen,
    floors: floors.map(({ outcomes: _, ...one }) => ({ ...one, bar: floorVerdicts(one) })),
    latencies,
    calibration: shipped,
  }
}

const METER_IN_DEGREES = 1 / 111_195
const FARTHEST_METERS = 2_000

/** Returns the learned model with a share of the access points moved by up to 2 km since. The reference scans still name them. */
function moved({ known, references }: Learned, share: number): Learned {
  const next = numbers(7)
  const spoiled = new Map(
    [...known].map(([bssid, one]) => {
      if (next() >= share) return [bssid, one] as const
      const meters = FARTHEST_METERS * next()
      const bearing = 2 * Math.PI * next()
      const lat = one.lat + meters * Math.cos(bearing) * METER_IN_DEGREES
      const lon =
        one.lon + (meters * Math.sin(bearing) * METER_IN_DEGREES) / Math.cos((one.lat * Math.PI) / 180)
      return [bssid, { ...one, lat, lon }] as const
    }),
  )
  return { known: spoiled, references }
}
