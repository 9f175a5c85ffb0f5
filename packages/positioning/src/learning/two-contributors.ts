import { RADIO_CELL_BOUNDS, type Contributors } from './contributors.js'
import type { GroupOf } from './independent-evidence.js'
import { raisedKey } from './independent-evidence.js'
import type { RadioCellStatistics } from './radio-cell-statistics.js'
import type { AccessPointStatistics } from './statistics.js'

/** For specs: two organizations that have nobody in common. */
export const TWO = ['0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002'] as const

/** For specs: every organization is a group of its own. */
export const APART: GroupOf = (organization) => organization

/** For specs: two organizations that both contributed everything of an access point. */
export function contributedByTwo({ sites }: AccessPointStatistics): Contributors {
  return TWO.map((organization) => ({ organization, squares: sites.sites.map(({ key }) => key) }))
}

/** For specs: two organizations that both contributed everything of a radio cell with squares of the smallest size. */
export function cellContributedByTwo({ squares }: RadioCellStatistics): Contributors {
  const keys = squares.cells.map(({ key }) => raisedKey(key, squares.level, RADIO_CELL_BOUNDS.level))
  return TWO.map((organization) => ({ organization, squares: keys }))
}
