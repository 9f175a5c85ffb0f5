import { locateCells } from '@bearing/positioning/locate-cells'
import { Injectable } from '@nestjs/common'
import { CellReader } from '../cells/cell-reader.js'
import type { FoundPosition, LocationSource, Search } from './location-source.js'

/** Finds a position by radio cells. One read at most. */
@Injectable()
export class CellSource implements LocationSource {
  constructor(private readonly reader: CellReader) {}

  shouldSearch({ usableCells }: Search): boolean {
    return usableCells.length > 0
  }

  async search(search: Search): Promise<FoundPosition | undefined> {
    const known = await this.reader.find(search.scope.organization_id, search.usableCells)
    const estimate = locateCells(known, search.confidence)
    search.cellCounts = { ...search.cellCounts, known: known.length, used: estimate?.used ?? 0 }
    if (!estimate) return undefined
    const { lat, lon, radiusMeters: uncertainty, used } = estimate
    return { lat, lon, uncertainty, fulfilledWith: used > 1 ? 'MCELL' : 'SCELL' }
  }
}
