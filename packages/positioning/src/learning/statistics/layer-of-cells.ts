import type { QuadPlace } from '../../earth/quad-cell.js'

/** Sums over the observations that were made in one square cell. Whole numbers, or such divided by a power of two. */
export interface Cell {
  /** Face, column and row in one number (see {@link cellKey}); orders the cells of a layer. */
  readonly key: number
  /** Sum of the weights. */
  readonly weight: number
  /** Sum of weight times signal strength, in dBm. */
  readonly signal: number
  /** Sum of weight times the steps from the cell's lower corner, on both axes. */
  readonly i: number
  readonly j: number
}

/** Cells of one size. */
export interface Layer {
  /** 0: edges of about 4 m. Each level above doubles them. */
  readonly level: number
  /** By ascending key, each once; no more than {@link MOST_CELLS}. */
  readonly cells: readonly Cell[]
}

/** The most cells of a layer. If there would be more, all of its cells double their edges. */
export const MOST_CELLS = 16
/** Bits of a place's numbers below a cell of level 0: its edges are 2^9 steps, 3.2 to 5.2 m. */
const FINEST_BITS = 9
/** Above this a cell is a face of the cube. */
const MOST_LEVEL = 21

export const EMPTY_LAYER: Layer = { level: 0, cells: [] }

/** Steps along the edge of a cell. */
export function edgeSteps(level: number): number {
  return 2 ** (FINEST_BITS + level)
}

/** Columns, and rows, of cells on a face. */
function columns(level: number): number {
  return 2 ** (MOST_LEVEL - level)
}

/** Returns the cell that a place lies in: below 2^45, so exact. */
export function cellKey({ face, i, j }: QuadPlace, level: number): number {
  const edge = edgeSteps(level)
  return (face * columns(level) + Math.floor(i / edge)) * columns(level) + Math.floor(j / edge)
}

/** Returns a cell's lower corner. */
export function cornerOf(key: number, level: number): QuadPlace {
  const across = columns(level)
  const edge = edgeSteps(level)
  const upper = Math.floor(key / across)
  return { face: Math.floor(upper / across), i: (upper % across) * edge, j: (key % across) * edge }
}

/**
 * One observation as a layer of its own.
 *
 * @param level of its one cell; parts that are added up shall all begin with the same
 */
export function layerOf(place: QuadPlace, weight: number, signalDbm: number, level = 0): Layer {
  const edge = edgeSteps(level)
  const cell: Cell = {
    key: cellKey(place, level),
    weight,
    signal: weight * signalDbm,
    i: weight * (place.i % edge),
    j: weight * (place.j % edge),
  }
  return { level, cells: [cell] }
}

/**
 * Adds layers up. The level is the lowest at which all that was observed fits into {@link MOST_CELLS} cells: since cells of
 * a level only ever become more, parts that were merged in any order come to the level, and the sums, of the whole.
 */
export function mergeLayers(layers: readonly Layer[]): Layer {
  let level = layers.reduce((most, layer) => Math.max(most, layer.level), 0)
  let sums = new Map<number, Cell>()
  for (const layer of layers) for (const cell of raised(layer, level)) add(sums, cell)
  while (sums.size > MOST_CELLS && level < MOST_LEVEL) {
    const finer = sums
    sums = new Map()
    for (const cell of finer.values()) add(sums, parentOf(cell, level))
    level++
  }
  return { level, cells: [...sums.values()].sort((a, b) => a.key - b.key) }
}

/** Multiplies what was observed. With a power of two this is exact. */
export function scaleLayer({ level, cells }: Layer, by: number): Layer {
  return {
    level,
    cells: cells.map(({ key, weight, signal, i, j }) => ({
      key,
      weight: weight * by,
      signal: signal * by,
      i: i * by,
      j: j * by,
    })),
  }
}

/** Returns the cells that those of a layer lie in at a level that is no finer; one comes as often as there are cells in it. */
export function raised({ level, cells }: Layer, to: number): readonly Cell[] {
  let at = cells
  for (let step = level; step < to; step++) at = at.map((cell) => parentOf(cell, step))
  return at
}

/** Returns the cell of the next level that a cell lies in. */
export function parentKey(key: number, level: number): number {
  return cellKey(cornerOf(key, level), level + 1)
}

function parentOf({ key, weight, signal, i, j }: Cell, level: number): Cell {
  const edge = edgeSteps(level)
  const corner = cornerOf(key, level)
  return {
    key: parentKey(key, level),
    weight,
    signal,
    i: i + weight * (corner.i % (2 * edge)),
    j: j + weight * (corner.j % (2 * edge)),
  }
}

function add(sums: Map<number, Cell>, cell: Cell): void {
  const before = sums.get(cell.key)
  sums.set(
    cell.key,
    before === undefined
      ? cell
      : {
          key: cell.key,
          weight: before.weight + cell.weight,
          signal: before.signal + cell.signal,
          i: before.i + cell.i,
          j: before.j + cell.j,
        },
  )
}
