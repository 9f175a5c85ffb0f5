import { locateCells, type KnownCell } from '@bearing/positioning/cells/locate-cells'
import { Injectable } from '@nestjs/common'
import { CellReader, ownPart, type FoundCell } from '../cells/cell-reader.js'
import type { FoundPosition, LocationSource, Search } from './location-source.js'
import type { SearchTrace } from './search-trace.js'

/** Finds a position by radio cells. One read at most. */
@Injectable()
export class CellSource implements LocationSource {
  readonly name = 'cell'

  constructor(private readonly reader: CellReader) {}

  shouldSearch({ usableCells }: Search): boolean {
    return usableCells.length > 0
  }

  async search(search: Search): Promise<FoundPosition | undefined> {
    const found = await search.knownCells(this.reader)
    const known = found.map((cell) => cell.known)
    const estimate = locateCells(known, search.confidence)
    if (search.trace) note(search.trace, found)
    search.cellCounts = { ...search.cellCounts, known: known.length, used: estimate?.used ?? 0 }
    if (!estimate) return undefined
    const { lat, lon, radiusMeters: uncertainty, used } = estimate
    return { lat, lon, uncertainty, fulfilledWith: used > 1 ? 'MCELL' : 'SCELL' }
  }
}

function note(trace: SearchTrace, found: readonly FoundCell[]): void {
  const known = found.map((cell) => cell.known)
  const explanation = { used: [] as readonly KnownCell[] }
  if (!locateCells(known, 68, explanation)) return
  trace.setRadii((confidence) => locateCells(known, confidence)?.radiusMeters ?? 0)
  trace.cells = found.map((cell) => ({
    key: cell.key,
    own: ownPart(cell),
    isUsed: explanation.used.includes(cell.known),
  }))
}
