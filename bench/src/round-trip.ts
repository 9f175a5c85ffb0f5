import { parseArgs } from 'node:util'
import type { KnowledgeByBssid } from '@bearing/positioning/access-points/candidates'
import { estimateOf, type Estimate, type EstimateOptions } from '@bearing/positioning/estimate/estimate'
import { rangedFix, type FixBefore } from '@bearing/positioning/distances/round-trip'
import { DEFAULT_CALIBRATION, radiusOf } from '@bearing/positioning/estimate/uncertainty'
import { learn } from './location-accuracy/bearing.js'
import { distanceMeters, quantile, type Spot } from './location-accuracy/flat.js'
import type { TrueScan } from './location-accuracy/scan-set.js'
import { normal, numbers } from './numbers.js'
import { bssidOf, Directory, MAP, type Places } from './round-trip/directory.js'
import { Device, type Received, type Responder } from './round-trip/measure.js'
import { SCENES, type Scene } from './round-trip/scenes.js'

const HELP = `pnpm bench:round-trip [--json] [--only <part of a name>]

Locates devices that have measured distances to access points by round-trip times, on made-up places with published errors:
without the distances, and with those to 1, 2, 3, 4 and 8 access points.

  --json         print figures for programs
  --only <part>  scenes whose name contains this
`
const QUERIES = 250
const SURVEYED = 400
const DEVICES = 30

/** What positions come from without distances. */
type Known = 'places' | 'survey'

interface Figures {
  readonly scene: string
  readonly known: Known
  readonly places: Places
  readonly distances: number
  /** Share of fixes that distances have changed, 0 to 1. */
  readonly ranged: number
  readonly alone: readonly [median: number, p95: number]
  readonly together: readonly [median: number, p95: number]
  readonly held_alone: readonly [p68: number, p95: number]
  readonly held: readonly [p68: number, p95: number]
}

const RUNS: readonly (readonly [Known, Places, distances: number])[] = [
  ...[1, 2, 3, 4, 8].map((distances) => ['places', 'right', distances] as const),
  ['places', 'one moved', 4],
  ['places', 'a rough list', 4],
  ...[1, 3, 4].map((distances) => ['survey', 'right', distances] as const),
  ['survey', 'one moved', 4],
]

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
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
const figures: Figures[] = []
for (const scene of SCENES.filter(({ name }) => name.includes(values.only))) {
  const world = worldOf(scene)
  for (const [known, places, distances] of RUNS) {
    const one = run(world, known, places, distances)
    figures.push(one)
    if (!values.json) process.stdout.write(`${line(one)}\n`)
  }
}
if (values.json) process.stdout.write(`${JSON.stringify({ figures }, null, 2)}\n`)

/** One fix, without and with distances. */
interface Outcome {
  readonly alone: number
  readonly together: number
  readonly heldAlone: readonly [boolean, boolean]
  readonly held: readonly [boolean, boolean]
  readonly isRanged: boolean
}

/** A scene with its access points, and a survey of it. */
interface World {
  readonly scene: Scene
  readonly responders: readonly Responder[]
  readonly surveyed: readonly TrueScan[]
}

function worldOf(scene: Scene): World {
  const next = numbers(7)
  const responders = Array.from({ length: scene.responders }, (_, index): Responder => ({
    ...{ index, above: 1 + 1.5 * next() },
    ...{ x: scene.width * next(), y: scene.height * next() },
  }))
  return { scene, responders, surveyed: survey(scene, responders, next) }
}

function run(
  { scene, responders, surveyed }: World,
  known: Known,
  places: Places,
  distances: number,
): Figures {
  const next = numbers(8)
  const directory = new Directory(scene, responders, places, next)
  const learned = known === 'survey' ? learn(surveyed) : undefined
  const devices = Array.from({ length: DEVICES }, () => new Device(scene, next))
  const outcomes: Outcome[] = []
  for (let query = 0; query < QUERIES; query++) {
    const spot = somewhere(scene, next)
    const received = devices[query % DEVICES]?.receive(spot, responders) ?? []
    // What is declared is how it is: the rest was learned.
    const measured = new Set(received.slice(0, distances).map(({ responder }) => bssidOf(responder)))
    const get = (bssid: number) =>
      (measured.has(bssid) ? undefined : learned?.known.get(bssid)) ?? directory.declared(bssid, received)
    const outcome = outcomeOf(spot, received, distances, { get }, directory, learned?.references)
    if (outcome) outcomes.push(outcome)
  }
  const share = (is: (outcome: Outcome) => boolean) => outcomes.filter(is).length / outcomes.length
  const errors = (of: 'alone' | 'together') => {
    const all = outcomes.map((outcome) => outcome[of])
    return [quantile(all, 0.5), quantile(all, 0.95)] as const
  }
  return {
    ...{ scene: scene.name, known, places, distances },
    ranged: share(({ isRanged }) => isRanged),
    ...{ alone: errors('alone'), together: errors('together') },
    held_alone: [share(({ heldAlone }) => heldAlone[0]), share(({ heldAlone }) => heldAlone[1])],
    held: [share(({ held }) => held[0]), share(({ held }) => held[1])],
  }
}

function somewhere(scene: Scene, next: () => number): Spot {
  for (;;) {
    const spot = { x: scene.width * next(), y: scene.height * next() }
    if (scene.isOpen(spot)) return spot
  }
}

/** Scans of a survey, with positions that are off by a meter. */
function survey(scene: Scene, responders: readonly Responder[], next: () => number): TrueScan[] {
  const device = new Device(scene, next)
  return Array.from({ length: SURVEYED }, (_, index) => {
    const spot = somewhere(scene, next)
    return {
      ...MAP.place({ x: spot.x + normal(next), y: spot.y + normal(next) }),
      ...{ accuracyMeters: 2, seconds: 1_740_787_200 + 10 * index, track: 'survey', device: 'survey' },
      accessPoints: device
        .receive(spot, responders)
        .map(({ responder, signalDbm }) => ({ bssid: bssidOf(responder), signalDbm, ageMs: 0 })),
    }
  })
}

function outcomeOf(
  spot: Spot,
  received: readonly Received[],
  distances: number,
  known: KnowledgeByBssid,
  directory: Directory,
  references: EstimateOptions['references'],
): Outcome | undefined {
  const scan = new Map(received.map(({ responder, signalDbm }) => [bssidOf(responder), signalDbm]))
  const located = (by: KnowledgeByBssid) => estimateOf(scan, by, { minRadios: 1, confidence: 68, references })
  const found = located(known)
  if (!found.found) return undefined
  const agreeing = new Set(found.agreeing)
  const measured = received.slice(0, distances).flatMap(({ responder, meters }) => {
    const bssid = bssidOf(responder)
    return meters === undefined || !agreeing.has(bssid)
      ? []
      : [{ bssid, meters, place: directory.declared(bssid, received), deviationMeters: 0.3 }]
  })
  const before = beforeOf(found)
  const without = (bssid: number) => {
    const other = located({ get: (one) => (one === bssid ? undefined : known.get(one)) })
    return other.found ? beforeOf(other) : undefined
  }
  const ranged = rangedFix(before, measured, without)
  const truth = MAP.place(spot)
  const alone = distanceMeters(before, truth)
  const together = distanceMeters(ranged ?? before, truth)
  return {
    ...{ alone, together },
    heldAlone: [alone <= before.radius68, alone <= before.radius95],
    held: [
      together <= (ranged?.radiusAt(68) ?? before.radius68),
      together <= (ranged?.radiusAt(95) ?? before.radius95),
    ],
    isRanged: ranged !== undefined,
  }
}

type Found = Extract<Estimate, { found: true }>

function beforeOf({ lat, lon, radiusMeters, features }: Found): FixBefore {
  return { lat, lon, radius68: radiusMeters, radius95: radiusOf(features, DEFAULT_CALIBRATION, 95) }
}

function line({
  scene,
  known,
  places,
  distances,
  ranged,
  alone,
  together,
  held_alone,
  held,
}: Figures): string {
  const meters = ([median, p95]: readonly [number, number]) => `${median.toFixed(2)} / ${p95.toFixed(1)} m`
  const shares = ([p68, p95]: readonly [number, number]) =>
    `${(100 * p68).toFixed(0)} / ${(100 * p95).toFixed(0)} %`
  return [
    scene.padEnd(13),
    known.padEnd(7),
    places.padEnd(13),
    `${String(distances)} distances`,
    `alone ${meters(alone)} (${shares(held_alone)})`,
    `with ${meters(together)} (${shares(held)})`,
    `${(100 * ranged).toFixed(0)} % ranged`,
  ].join('  ')
}
