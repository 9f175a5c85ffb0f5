import type { KnownCell } from '../../cells/locate-cells.js'
import { knownRadioCell } from '../statistics/radio-cell-model.js'
import type { RadioCellStatistics } from '../statistics/radio-cell-statistics.js'

/** Record of a radio cell in one layer. */
export interface RadioCellRecord {
  readonly imported?: KnownCell | undefined
  /** Learned statistics. */
  readonly statistics?: RadioCellStatistics | undefined
}

/**
 * Returns a radio cell as the layers know it. An imported cell of an organization replaces the one of the base layer, in which
 * nothing is learned; of the imported and the learned cell, the one with more observations counts.
 *
 * @returns undefined if neither knows anything
 */
export function layeredRadioCell(own: RadioCellRecord, base: RadioCellRecord): KnownCell | undefined {
  const imported = own.imported ?? base.imported
  const learned = own.statistics && knownRadioCell(own.statistics)
  if (!imported || !learned) return imported ?? learned
  return learned.samples >= imported.samples ? learned : imported
}
