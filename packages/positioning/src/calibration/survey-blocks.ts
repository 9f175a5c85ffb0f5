import { toQuadPlace } from '../earth/quad-cell.js'
import type { Coordinates } from '../earth/sphere.js'

/** A scan with its place and time. */
export interface TimedPlace extends Coordinates {
  readonly atSeconds: number
}

/** A walk has ended when no scan follows within this, in seconds. */
const PAUSE_SECONDS = 120
/** With fewer walks than this, each is so much of a survey that the rest says little. */
const LEAST_WALKS = 4
/** Steps of a cell: 5 to 10 m. A place is near another one if it is in the same cell or beside it. */
const CELL_STEPS = 2 ** 10
/** A walk repeats another one if a larger share of its scans is near that. */
const REPEATED = 0.8

/**
 * Cuts a survey into blocks that say nothing of each other that a device elsewhere would not have: walks stay whole, and walks that
 * repeat each other stay together. If there are too few walks, or scans have no times, each block has the same number of scans.
 *
 * @param scans sorted by time
 * @param blocks at most so many; at least 1
 * @returns blocks that are not empty
 */
export function surveyBlocks<Scan extends TimedPlace>(scans: readonly Scan[], blocks: number): Scan[][] {
  const walks = walksOf(scans)
  if (walks.length < LEAST_WALKS) return equalParts(scans, blocks)
  const routes = routesOf(walks)
  return joined(routes.length > 1 ? routes : walks, blocks)
}

function equalParts<Scan>(scans: readonly Scan[], parts: number): Scan[][] {
  const size = Math.max(1, Math.ceil(scans.length / parts))
  return Array.from({ length: Math.ceil(scans.length / size) }, (_, part) =>
    scans.slice(part * size, (part + 1) * size),
  )
}

function walksOf<Scan extends TimedPlace>(scans: readonly Scan[]): Scan[][] {
  const walks: Scan[][] = []
  let lastSeconds = -Infinity
  for (const scan of scans) {
    if (scan.atSeconds - lastSeconds > PAUSE_SECONDS) walks.push([])
    walks.at(-1)?.push(scan)
    lastSeconds = scan.atSeconds
  }
  return walks
}

/** Joins walks with the longest walk that they repeat. */
function routesOf<Scan extends TimedPlace>(walks: readonly Scan[][]): Scan[][] {
  let rest = walks
    .map((scans) => ({ scans, cells: scans.map(cellOf) }))
    .sort((one, other) => other.scans.length - one.scans.length)
  const routes: Scan[][] = []
  for (let [longest] = rest; longest; [longest] = rest) {
    const near = new Set(longest.cells.flatMap(aroundCell))
    const repeats = ({ cells }: { readonly cells: readonly Cell[] }) =>
      cells.filter((cell) => near.has(keyOf(cell))).length > REPEATED * cells.length
    routes.push(rest.filter(repeats).flatMap(({ scans }) => scans))
    rest = rest.filter((walk) => !repeats(walk))
  }
  return routes
}

/** Adds each part to the block that is the smallest so far, the largest part first. */
function joined<Scan>(parts: readonly Scan[][], blocks: number): Scan[][] {
  const all = Array.from({ length: Math.min(blocks, parts.length) }, (): Scan[] => [])
  for (const part of [...parts].sort((one, other) => other.length - one.length)) {
    const smallest = all.reduce((least, block) => (block.length < least.length ? block : least))
    smallest.push(...part)
  }
  return all
}

interface Cell {
  readonly face: number
  readonly i: number
  readonly j: number
}

function cellOf(scan: TimedPlace): Cell {
  const { face, i, j } = toQuadPlace(scan)
  return { face, i: Math.floor(i / CELL_STEPS), j: Math.floor(j / CELL_STEPS) }
}

function keyOf({ face, i, j }: Cell): number {
  return (face * 2 ** 20 + i) * 2 ** 20 + j
}

function aroundCell({ face, i, j }: Cell): number[] {
  return [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((over) => keyOf({ face, i: i + down, j: j + over })))
}
