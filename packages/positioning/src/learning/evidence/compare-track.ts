import type { Contribution } from './contribution.js'
import { updateFrom, type Before, type ScanUpdate, type Update } from './learn.js'
import { recentAfter } from './recent-scans.js'

/** Track of a device, as far as its scans say; `last` is the latest that can be true. */
export interface DeviceTrack extends Before {
  /**
   * Scans after that which were all refused as jumps from it, though none of them jumps from the one before it: the latest,
   * and how many they are. Undefined if there are none.
   */
  readonly elsewhere?: { readonly scan: Contribution; readonly agreeing: number } | undefined
}

/** Wrong positions of one device among scans that name none: no more than these, or than this share of them. */
const MOST_JUMPS = { number: 2, share: 0.1 }
/**
 * So many scans in a row that agree with each other are believed against the one from which all of them jump. Fewer are of a
 * device that now and then is where it cannot be, as those that name none may be ({@link MOST_JUMPS}).
 */
const AGREEING = 3

/**
 * Compares each scan with the one before it of the same device. Scans that cannot be true are compared with nothing, unless
 * {@link AGREEING} scans in a row agree with each other and not with the one before them: then that one was wrong, and the
 * track restarts from them. Those of them that are among the ordered ones are learned. If a device alternates between places
 * no scans agree in a row.
 *
 * Scans that name no device are of one, unless so many would be refused that they must be of several ({@link MOST_JUMPS}):
 * then nothing is compared.
 *
 * @param ordered in the order in which they were taken
 * @param known the device's track before these, if it is known
 * @param isNamed whether they say which device they are of
 * @param nowSeconds seconds since 1970
 * @returns the updates, in that order, and the track after them: the same object where nothing was added. Repeated scans
 * add nothing
 */
export function compareTrack(
  ordered: readonly Contribution[],
  known: DeviceTrack | undefined,
  isNamed: boolean,
  nowSeconds: number,
): { compared: readonly ScanUpdate[]; track: DeviceTrack | undefined } {
  const comparison = new Comparison(known, nowSeconds)
  for (const contribution of ordered) comparison.add(contribution)
  const { compared, track } = comparison
  if (isNamed || !areOfSeveral(compared)) return { compared, track }
  const alone = ordered.map((contribution) => ({
    contribution,
    update: updateFrom(contribution, undefined, nowSeconds),
  }))
  return { compared: alone, track: known }
}

/** A track that is being continued. */
class Comparison {
  readonly compared: ScanUpdate[] = []
  /** The scan that the next one is compared with: late ones are compared with each other. */
  private previous: Before | undefined
  /** Of `track.elsewhere` those that are in `compared`: where, and what to learn from them if they are believed. */
  private doubted: { readonly index: number; readonly update: Update }[] = []

  constructor(
    public track: DeviceTrack | undefined,
    private readonly nowSeconds: number,
  ) {
    this.previous = track
  }

  add(contribution: Contribution): void {
    const update = updateFrom(contribution, this.previous, this.nowSeconds)
    this.compared.push({ contribution, update })
    if (isPlausible(update)) this.continueFrom(contribution)
    else if (isJump(update)) this.doubt(contribution)
  }

  private continueFrom(contribution: Contribution): void {
    const isInOrder = this.previous?.recent === this.track?.recent
    const previous = after(this.previous, contribution)
    this.previous = previous
    if (this.track && contribution.atSeconds < this.track.last.atSeconds) return
    const elsewhere = this.track?.elsewhere
    const isAfter = elsewhere && elsewhere.scan.atSeconds > contribution.atSeconds
    if (!isAfter) this.doubted = []
    const next = isInOrder ? previous : after(this.track, contribution)
    this.track = { ...next, elsewhere: isAfter ? elsewhere : undefined }
  }

  /** Ignores scans that came before, or come again. */
  private doubt(contribution: Contribution): void {
    if (!this.track) return
    const { last, recent, elsewhere } = this.track
    const latest = elsewhere?.scan ?? last
    if (contribution.atSeconds <= latest.atSeconds) return
    const next = elsewhere && updateFrom(contribution, after(this.previous, elsewhere.scan), this.nowSeconds)
    const agreeing = next && isPlausible(next) ? elsewhere.agreeing + 1 : 1
    if (agreeing === 1) this.doubted = []
    // The first one may still repeat readings from the place that was wrong.
    const update =
      agreeing > 1 && next ? next : updateFrom(contribution, this.previous, this.nowSeconds, 'restarted')
    this.doubted.push({ index: this.compared.length - 1, update })
    this.track = { last, recent, elsewhere: { scan: contribution, agreeing } }
    if (agreeing >= AGREEING) this.restartFrom(contribution)
  }

  private restartFrom(contribution: Contribution): void {
    for (const { index, update } of this.doubted) {
      const one = this.compared[index]
      if (one) this.compared[index] = { ...one, update }
    }
    this.doubted = []
    this.previous = after(this.track, contribution)
    this.track = { ...this.previous, elsewhere: undefined }
  }
}

function after(before: Before | undefined, contribution: Contribution): Before {
  return { last: contribution, recent: recentAfter(before?.recent ?? [], contribution) }
}

/** Of what only repeats old readings the place and the time can be true: the next scan may repeat the same ones. */
function isPlausible(update: Update): boolean {
  return update.accepted || update.reason === 'nothing_fresh'
}

function isJump(update: Update): boolean {
  return !update.accepted && update.reason === 'impossible_jump'
}

/** Returns whether so much would be refused that they cannot be scans of one device, which now and then is where it cannot be. */
function areOfSeveral(compared: readonly ScanUpdate[]): boolean {
  const jumps = compared.filter(({ update }) => isJump(update))
  return jumps.length > Math.max(MOST_JUMPS.number, MOST_JUMPS.share * compared.length)
}
