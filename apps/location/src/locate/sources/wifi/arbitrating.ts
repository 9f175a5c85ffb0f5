import { isOutsideCells } from '@bearing/positioning/cells/outside-cells'
import type { Found } from '@bearing/positioning/estimate/estimate'
import { layeredEstimate, type KnownOfScan } from '@bearing/positioning/estimate/layered-estimate'
import { countRadios } from '@bearing/positioning/scans/radio'
import type { CellReader } from '../../cells/cell-reader.js'
import { ownAlone } from '../base-layer-searches.js'
import type { Search } from '../location-source.js'
import { radiusOf, type LocatedWifi, type WifiEvidence, type WifiLocator } from './wifi-locator.js'

/** Radius of 68 % of normal errors, in standard deviations on an axis: √(−2 ln 0.32). */
const RADIUS_68 = Math.sqrt(-2 * Math.log(0.32))
/** Least spread of the reception of an access point around its place, as a standard deviation on an axis, in meters. */
const RECEIVED_METERS = 50

/**
 * Lets radio cells decide about Wi-Fi scans that are too thin to be sure of. A single known access point may have moved, and of several
 * that contradict each other any may have. Reads the cells of such scans alone.
 */
export class Arbitrating implements WifiLocator {
  constructor(
    private readonly inner: WifiLocator,
    private readonly reader: CellReader,
  ) {}

  locate(search: Search, evidence: WifiEvidence): Promise<LocatedWifi> {
    const located = this.inner.locate(search, evidence)
    return search.usableCells.length === 0 ? located : this.arbitrated(search, evidence, located)
  }

  private async arbitrated(
    search: Search,
    evidence: WifiEvidence,
    found: Promise<LocatedWifi>,
  ): Promise<LocatedWifi> {
    const located = await found
    const { estimate, by } = located
    if (estimate.found)
      return (await this.refutes(search, estimate, radiusOf(evidence, by)))
        ? { by, isRefuted: true, estimate: { found: false, reason: 'too_few_known', usable: 1 } }
        : located
    const left = estimate.reason === 'too_few_known' ? await this.without(search, by) : undefined
    return left ? { estimate: layeredEstimate(evidence.scan, left, evidence.options), by: left } : located
  }

  /** Returns whether a position comes from one radio, and the cells of the request are elsewhere. */
  private async refutes(
    search: Search,
    estimate: Found,
    radiusAt: (confidence: number) => number,
  ): Promise<boolean> {
    if (countRadios(estimate.agreeing) > 1) return false
    return isOutsideCells(estimate, radiusAt(68) / RADIUS_68, await this.knownCells(search))
  }

  /**
   * Returns what an organization knows itself of a scan without a position, less the access points that are outside of its cells. Nothing of
   * the base layer: cells that a caller has made up would reveal where its access points are.
   *
   * @returns undefined if that is no less
   */
  private async without(search: Search, known: KnownOfScan): Promise<KnownOfScan | undefined> {
    const own = ownAlone(known)
    if (own.filter(Boolean).length < 2) return undefined
    const cells = await this.knownCells(search)
    const left = own.map((one) =>
      one &&
      isOutsideCells(one.known, Math.hypot(RECEIVED_METERS, one.known.spreadMeters / Math.SQRT2), cells)
        ? undefined
        : one,
    )
    return left.some((one, index) => one !== own[index]) ? left : undefined
  }

  private async knownCells(search: Search) {
    return (await search.knownCells(this.reader)).map(({ known }) => known)
  }
}
