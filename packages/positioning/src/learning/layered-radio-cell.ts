import type { KnownCell } from '../cells/locate-cells.js'
import { NO_CONTRIBUTORS, type Contributors } from './contributors.js'
import { hasIndependentSquares, raisedKey, type GroupOf } from './independent-evidence.js'
import { raised } from './layer-of-cells.js'
import { cellOf, heardAround, heardTogether, knownRadioCell, type Spot } from './radio-cell-model.js'
import { ageRadioCell, type RadioCellStatistics } from './radio-cell-statistics.js'

/** What one layer has of a radio cell. */
export interface RadioCellRecord {
  /** What was imported. */
  readonly imported?: KnownCell | undefined
  /** What was learned. */
  readonly statistics?: RadioCellStatistics | undefined
  /** Of the shared layer: who contributed what was learned. */
  readonly contributors?: Contributors | undefined
}

/**
 * Squares of 130 m or more, without those of the asking organization, in which a cell has to have been heard before its
 * shared position is used: the mean of fewer would reveal where somebody was. Only squares in the neighborhood of the mean
 * count: homes in different towns, of cells that have one name, are not company.
 */
export const LEAST_SQUARES = 5

/**
 * Returns what the layers know of a radio cell. What an organization has imported stands in the place of what is shared; what it has learned
 * is added to what is shared and learned; of what is imported and what is learned that counts which more observations say.
 *
 * What is shared is added as a whole or not at all, and the shared layer alone decides what is used of it: a caller that
 * could choose by its own observations which of the squares count would learn single ones from the differences.
 *
 * It has to have enough squares without those of any single organization, and those that have a creator or an admin in common.
 *
 * @returns undefined if neither knows anything
 */
export function layeredRadioCell(
  own: RadioCellRecord,
  shared: RadioCellRecord,
  groupOf: GroupOf,
): KnownCell | undefined {
  if (own.imported) return better(own.imported, own.statistics && knownRadioCell(own.statistics))
  const period = Math.max(own.statistics?.period ?? -Infinity, shared.statistics?.period ?? -Infinity)
  const spotsOf = (statistics: RadioCellStatistics | undefined) =>
    statistics ? heardAround(ageRadioCell(statistics, period)) : []
  const heard = spotsOf(shared.statistics)
  const isRevealed =
    shared.statistics &&
    squaresOfOthers(heard, shared.statistics, own.statistics) >= LEAST_SQUARES &&
    isIndependent(heard, shared.statistics, shared.contributors, groupOf)
  return better(shared.imported, cellOf(heardTogether(spotsOf(own.statistics), isRevealed ? heard : [])))
}

/** Leaves out the squares of the asking organization, which are known to it. */
function squaresOfOthers(
  heard: readonly Spot[],
  shared: RadioCellStatistics,
  own: RadioCellStatistics | undefined,
): number {
  const level = Math.max(shared.squares.level, own?.squares.level ?? 0)
  const keys = new Set(heard.map(({ key }) => key))
  const cells = shared.squares.cells.filter(({ key }) => keys.has(key))
  const mine = new Set(own ? raised(own.squares, level).map(({ key }) => key) : [])
  const all = raised({ level: shared.squares.level, cells }, level)
  return new Set(all.flatMap(({ key }) => (mine.has(key) ? [] : [key]))).size
}

function isIndependent(
  heard: readonly Spot[],
  { squares }: RadioCellStatistics,
  contributors: Contributors | undefined,
  groupOf: GroupOf,
): boolean {
  const keys = new Set(heard.map(({ key }) => key))
  const isReceived = (key: number, level: number) => keys.has(raisedKey(key, level, squares.level))
  return hasIndependentSquares(contributors ?? NO_CONTRIBUTORS, isReceived, groupOf, LEAST_SQUARES)
}

function better(imported: KnownCell | undefined, learned: KnownCell | undefined): KnownCell | undefined {
  if (!imported || !learned) return imported ?? learned
  return learned.samples >= imported.samples ? learned : imported
}
