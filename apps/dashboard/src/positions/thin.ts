import type { CallOutput } from '@bearing/client/call-types'

type Cell = CallOutput<'showCoverage'>['cells'][number]

/** Fewer are not enough: two have to be received and agree, and some are always missing. */
const ENOUGH = 5

/** Returns whether a cell has too few access points to rely on. */
export function isThin({ access_points, moving }: Cell): boolean {
  return access_points - moving < ENOUGH
}

/** How the table is ordered. */
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
