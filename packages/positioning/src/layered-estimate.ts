import type { Knowledge } from './access-point-model.js'
import { estimateOf, type Estimate, type EstimateOptions, type KnowledgeByBssid } from './estimate.js'
import { areOfRadios } from './radio.js'
import type { Scan } from './scan.js'
import { widened } from './missing-signals.js'

/** What is known of an access point, by whom. */
export interface LayeredKnowledge {
  /** By the organization and the shared layer together. */
  readonly all: Knowledge
  /** By the organization alone; undefined where it knows nothing. */
  readonly own: Knowledge | undefined
  /** Whether the shared layer has a part in `all`. */
  readonly isShared: boolean
}

/**
 * Where a scan was taken, by what the organization knows itself and what is shared.
 *
 * What is shared was contributed by others, and must not tell where a single one of their access points is. So shared
 * access points count only where at least `minRadios` radios of them agree about the place; else the answer is that of the
 * organization's own alone, as if the others were unknown. Of its own one is enough: it has said itself where that is.
 *
 * That holds however the own ones are chosen: somebody who declares access points all over the earth, and sends them with a
 * stranger's, would learn with which of them the stranger's agrees, if those counted as company.
 */
export function layeredEstimate(
  scan: Scan,
  known: ReadonlyMap<number, LayeredKnowledge>,
  options: EstimateOptions,
): Estimate {
  const found = (knowledge: KnowledgeByBssid, minRadios: number) =>
    widened(estimateOf(scan, knowledge, { ...options, minRadios }), scan)
  const needed = someOwn(scan, known) ? 1 : options.minRadios
  const together = found({ get: (bssid) => known.get(bssid)?.all }, needed)
  if (!together.found) return together
  const shared = together.agreeing.filter((bssid) => known.get(bssid)?.isShared)
  if (shared.length === 0 || areOfRadios(shared, options.minRadios)) return together
  return found({ get: (bssid) => known.get(bssid)?.own }, needed)
}

function someOwn(scan: Scan, known: ReadonlyMap<number, LayeredKnowledge>): boolean {
  for (const bssid of scan.keys()) if (known.get(bssid)?.own) return true
  return false
}
