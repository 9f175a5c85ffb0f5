import type { Estimate } from '@bearing/positioning/estimate/estimate'
import type { KnownOfScan } from '@bearing/positioning/estimate/layered-estimate'
import { isOutsideCells } from '@bearing/positioning/cells/outside-cells'
import { countRadios } from '@bearing/positioning/scans/radio'
import type { CellReader } from '../cells/cell-reader.js'
import type { Search } from './location-source.js'
import { ownAlone } from './base-layer-searches.js'

/** Radius of 68 % of normal errors, in standard deviations on an axis: √(−2 ln 0.32). */
const RADIUS_68 = Math.sqrt(-2 * Math.log(0.32))
/** How far from its place an access point is received, at least, as a standard deviation on an axis, in meters. */
const RECEIVED_METERS = 50

/**
 * Lets radio cells decide about Wi-Fi scans that are too thin to be sure of. A single known access point may have moved, and of several
 * that contradict each other any may have. Reads the cells of such scans alone.
 */
export class CellArbiter {
  constructor(private readonly reader: CellReader) {}

  /**
   * Returns whether a position comes from one radio, and the cells of the request are elsewhere.
   *
   * @param radiusAt returns its radius at a confidence
   */
  async refutes(
    search: Search,
    estimate: Extract<Estimate, { found: true }>,
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
  async without(search: Search, known: KnownOfScan): Promise<KnownOfScan | undefined> {
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
