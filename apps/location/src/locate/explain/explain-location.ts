import { explainLocation, type Explanation } from '@bearing/contracts/location/lookups/explanation'
import { allGiven, leftOutOf } from '@bearing/contracts/location/access-points/left-out'
import { confidenceOf } from '@bearing/contracts/location/lookups/location-options'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { keysOf } from '../cells/rules/read-cells.js'
import { groundFixNotFound } from '../ground-fix/ground-fix-not-found.js'
import { scansOf } from '../ground-fix/scans-of.js'
import { problemOf } from '../scan-problem.js'
import { Search, type FoundPosition } from '../sources/location-source.js'
import { Locator } from '../sources/locator.js'
import { SearchTrace, type SourceName } from '../sources/search-trace.js'
import { explainAccessPoints } from './explained-access-points.js'
import { explainCells } from './explained-cells.js'

const SOURCES: readonly SourceName[] = ['wifi', 'cell', 'fallback']

/** Explains where a position comes from. An ordinary search, of which the sources note what they found out. */
@Controller()
export class ExplainLocation {
  constructor(private readonly locator: Locator) {}

  @Handle(explainLocation)
  async execute(input: Input<typeof explainLocation>): Promise<Output<typeof explainLocation>> {
    const { cellTowers, lte, ltecatm, nbiot, confidence, config } = input
    const previousScans = allGiven(input.previousScans)
    const scans = scansOf(input)
    const accessPoints = scans.flatMap((scan) => scan.accessPoints)
    const cells = { cellTowers, lte, ltecatm, nbiot }
    const heard = { accessPoints, previousScans, cells, asksProvider: true }
    const search = new Search(input, heard, confidenceOf({ confidence, config, reply: true }))
    const trace = (search.trace = new SearchTrace())
    const position = await this.locator.locate(search)
    const isFoundByWifi = trace.sources.some(
      ({ source, outcome }) => source === 'wifi' && outcome === 'found',
    )
    return {
      position: position ?? null,
      ...(!position && { error: problemOf(groundFixNotFound(search, scans)) }),
      radii: position ? trace.radii : null,
      sources: [...trace.sources, ...notAsked(trace)],
      counts: { accessPoints: search.accessPointCounts, cells: search.cellCounts },
      accessPoints: explainAccessPoints(accessPoints, trace.wifi, position),
      cells: explainCells(keysOf(cells), trace.cells, !isFoundByWifi, position),
      shared: sharedOf(trace, position),
      ...leftOutOf({ confidence, previousScans: input.previousScans }),
    }
  }
}

function notAsked({ sources }: SearchTrace): Explanation['sources'] {
  return SOURCES.slice(sources.length).map((source) => ({ source, outcome: 'not_asked' }))
}

/** Counts alone: never which of the base layer they are, or where. */
function sharedOf(
  { wifi, cells = [] }: SearchTrace,
  position: FoundPosition | undefined,
): Explanation['shared'] {
  if (!position || position.fallback) return null
  const isOfBase = (bssid: number) => wifi?.known.get(bssid)?.isOwn !== true
  const others = cells.filter(({ own }) => own === undefined)
  return {
    accessPoints: {
      known: [...(wifi?.agreeing ?? [])].filter(isOfBase).length,
      used: [...(wifi?.used ?? [])].filter(isOfBase).length,
    },
    cells: { known: others.length, used: others.filter(({ isUsed }) => isUsed).length },
  }
}
