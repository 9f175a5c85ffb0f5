import type { CallOutput } from '@bearing/client/call-types'

type Cell = CallOutput<'showCoverage'>['cells'][number]

/** Fewer are not enough: two have to be received and agree, and some are always missing. */
const ENOUGH = 5

/** Returns whether a cell has too few access points to rely on. */
export function isThin({ access_points, moving }: Cell): boolean {
  return access_points - moving < ENOUGH
}

/** Orders of the table. */
export const ORDERS = {
  thin: 'Fewest access points first',
  full: 'Most access points first',
  old: 'Oldest first',
  wide: 'Widest spread first',
} as const
export type Order = keyof typeof ORDERS

const KEYS: Readonly<Record<Order, (cell: Cell) => number>> = {
  thin: ({ access_points, moving }) => access_points - moving,
  full: ({ access_points }) => -access_points,
  old: ({ median_updated_at }) => Date.parse(median_updated_at),
  wide: ({ median_spread }) => -(median_spread ?? 0),
}

export function sorted(cells: readonly Cell[], order: Order): Cell[] {
  const key = KEYS[order]
  return [...cells].sort((one, other) => key(one) - key(other))
}

/** Thin cells that touch each other. */
export interface ThinArea {
  readonly cells: readonly Cell[]
  readonly access_points: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Returns the areas of thin cells: neighbors are merged, the largest first. */
export function thinAreas(cells: readonly Cell[]): ThinArea[] {
  const left = new Map(cells.filter(isThin).map((cell) => [keyOf(cell, 0, 0), cell]))
  const areas: ThinArea[] = []
  for (const [key, first] of left) {
    left.delete(key)
    const found = [first]
    for (const cell of found)
      for (const [x, y] of AROUND) {
        const next = keyOf(cell, x, y)
        const neighbor = left.get(next)
        if (!neighbor) continue
        left.delete(next)
        found.push(neighbor)
      }
    areas.push({
      cells: found,
      access_points: found.reduce((sum, { access_points }) => sum + access_points, 0),
      west: Math.min(...found.map(({ west }) => west)),
      south: Math.min(...found.map(({ south }) => south)),
      east: Math.max(...found.map(({ east }) => east)),
      north: Math.max(...found.map(({ north }) => north)),
    })
  }
  return areas.toSorted((a, b) => b.cells.length - a.cells.length || a.access_points - b.access_points)
}

const AROUND = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const))

/** The place of a cell, or of one near it, in the grid that all cells of a reply share. */
function keyOf({ west, south, east, north }: Cell, x: number, y: number): string {
  return `${String(Math.round(west / (east - west)) + x)},${String(Math.round(south / (north - south)) + y)}`
}
