import type { KnownCell } from '../locate-cells.js'
import { raised } from './layer-of-cells.js'
import { knownRadioCell } from './radio-cell-model.js'
import { mergeRadioCells, type RadioCellStatistics } from './radio-cell-statistics.js'

/** What one layer has of a radio cell. */
export interface RadioCellRecord {
  /** What was imported. */
  readonly imported?: KnownCell | undefined
  /** What was learned. */
  readonly statistics?: RadioCellStatistics | undefined
}

/**
 * Squares of 130 m or more, without those of the asking organization, in which a cell has to have been heard until what is shared of it
 * is told: of fewer its mean would say where somebody was.
 */
export const LEAST_SQUARES = 5

/**
 * What the layers know of a radio cell. What an organization has imported stands in the place of what is shared; what it has learned
 * is added to what is shared and learned; of what is imported and what is learned that counts which more observations say.
 *
 * @returns undefined where neither knows anything
 */
export function layeredRadioCell(own: RadioCellRecord, shared: RadioCellRecord): KnownCell | undefined {
  const isTold = shared.statistics && squaresOfOthers(shared.statistics, own.statistics) >= LEAST_SQUARES
  const statistics = isTold ? shared.statistics : undefined
  const learned = own.statistics && knownRadioCell(own.statistics)
  if (own.imported) return better(own.imported, learned)
  const parts = [own.statistics, statistics].filter((part) => part !== undefined)
  const together = parts.length > 0 ? knownRadioCell(mergeRadioCells(parts)) : undefined
  return better(shared.imported, together)
}

/** An organization that shares is a part of what is shared, and knows its own part. */
function squaresOfOthers(shared: RadioCellStatistics, own: RadioCellStatistics | undefined): number {
  const level = Math.max(shared.squares.level, own?.squares.level ?? 0)
  const mine = new Set(own ? raised(own.squares, level).map(({ key }) => key) : [])
  return new Set(raised(shared.squares, level).flatMap(({ key }) => (mine.has(key) ? [] : [key]))).size
}

function better(imported: KnownCell | undefined, learned: KnownCell | undefined): KnownCell | undefined {
  if (!imported || !learned) return imported ?? learned
  return learned.samples >= imported.samples ? learned : imported
}
