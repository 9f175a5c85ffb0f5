import type { KnownCell } from '../../cells/locate-cells.js'
import { knownRadioCell } from '../statistics/radio-cell-model.js'
import type { RadioCellStatistics } from '../statistics/radio-cell-statistics.js'

/** What one layer has of a radio cell. */
export interface RadioCellRecord {
  /** What was imported. */
  readonly imported?: KnownCell | undefined
  /** What was learned. */
  readonly statistics?: RadioCellStatistics | undefined
}

/**
 * Returns what the layers know of a radio cell. What an organization has imported stands in the place of the base layer, in which
 * nothing is learned; of what is imported and what is learned that counts which more observations say.
 *
 * @returns undefined if neither knows anything
 */
export function layeredRadioCell(own: RadioCellRecord, base: RadioCellRecord): KnownCell | undefined {
  const imported = own.imported ?? base.imported
  const learned = own.statistics && knownRadioCell(own.statistics)
  if (!imported || !learned) return imported ?? learned
  return learned.samples >= imported.samples ? learned : imported
}
