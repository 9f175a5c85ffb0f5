import type { CellCounts } from '@bearing/contracts/location/cell'
import { locateCells } from '@bearing/positioning/locate-cells'
import { Injectable } from '@nestjs/common'
import type { Scope } from '../../ground/scope.js'
import { CellReader } from './cell-reader.js'
import { countCells, readCells, type SentCells } from './rules/read-cells.js'

/** Where a device is by the cells that it hears. */
export interface CellFix {
  /** Undefined where no cell is known. */
  readonly position:
    | {
        readonly lat: number
        readonly lon: number
        readonly uncertainty: number
        readonly fulfilledWith: 'MCELL' | 'SCELL'
      }
    | undefined
  readonly cells: CellCounts
}

/** Locates by radio cells. */
@Injectable()
export class CellLocator {
  constructor(private readonly reader: CellReader) {}

  /**
   * Where a device is. One read at most.
   *
   * @param confidence how often the uncertainty should hold the truth, in per cent: 50 to 99
   * @param radioType of cells that do not say their own; LTE unless given
   */
  async locate(scope: Scope, sent: SentCells, confidence: number, radioType?: string): Promise<CellFix> {
    const usable = readCells(sent, radioType)
    const known = await this.reader.find(scope.organization_id, usable)
    const estimate = locateCells(known, confidence)
    const counts = {
      received: countCells(sent),
      usable: usable.length,
      known: known.length,
      used: estimate?.used ?? 0,
    }
    if (!estimate) return { position: undefined, cells: counts }
    const { lat, lon, radiusMeters: uncertainty, used } = estimate
    return { position: { lat, lon, uncertainty, fulfilledWith: used > 1 ? 'MCELL' : 'SCELL' }, cells: counts }
  }
}
