import { knownByBssid, layeredEstimate } from '@bearing/positioning/estimate/layered-estimate'
import type { Search } from '../location-source.js'
import type { SearchTrace } from '../search-trace.js'
import { radiusOf, type LocatedWifi, type WifiEvidence, type WifiLocator } from './wifi-locator.js'

/** Notes for a search that is explained what its position comes from. */
export class Explaining implements WifiLocator {
  constructor(private readonly inner: WifiLocator) {}

  locate(search: Search, evidence: WifiEvidence): Promise<LocatedWifi> {
    const located = this.inner.locate(search, evidence)
    return search.trace ? noted(search.trace, evidence, located) : located
  }
}

/** Makes the estimate again, with an explanation. */
async function noted(
  trace: SearchTrace,
  evidence: WifiEvidence,
  found: Promise<LocatedWifi>,
): Promise<LocatedWifi> {
  const located = await found
  const { estimate, by, radiusAt } = located
  const { scan, usable, options } = evidence
  const explanation = { used: [] as readonly number[] }
  if (estimate.found) {
    layeredEstimate(scan, by, { ...options, explanation })
    trace.setRadii(radiusAt ?? radiusOf(evidence, by))
  }
  trace.wifi = {
    usable: new Set(scan.keys()),
    known: knownByBssid(scan, usable),
    agreeing: new Set(estimate.found ? estimate.agreeing : []),
    used: new Set(explanation.used),
  }
  return located
}
