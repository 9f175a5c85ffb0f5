import { addressHash } from '@bearing/positioning/address-hash'
import type { LayeredKnowledge } from '@bearing/positioning/layered-estimate'

/** Stands for an access point that an organization has no position for. */
export const UNKNOWN = Symbol('unknown access point')

/** What an access point is known as. */
export type Known = LayeredKnowledge | typeof UNKNOWN

/** Slots of a set. An address leads to two sets, and is in one of their slots. */
export const WAYS = 16

/** More than this share of its slots, and a shard is doubled if it may be. */
const FULL = 0.75
const SEED = 0
/** Numbers of a position: latitude, longitude, spread, observations. */
const FIELDS = 4

// What is in a slot.
const FREE = 0
const NOTHING = 1
/** A position that the organization has imported. */
const OWN_PLACE = 2
/** A position of the shared layer. */
const SHARED_PLACE = 3
/** More than a position, of no fixed length. */
const LEARNED = 4

/**
 * A part of an `AccessPointTable`: 57 bytes for each of its slots, and an object only for an access point of which more is known
 * than a position. An address that leads to two sets hardly ever finds both of them full before all are (Y. Azar et al., "Balanced
 * allocations", STOC 1994).
 */
export class TableShard {
  private readonly kinds: Uint8Array
  private readonly bssids: Float64Array
  private readonly expiries: Float64Array
  /** The number of the last use; 0 in a free slot. */
  private readonly uses: Float64Array
  private readonly places: Float64Array
  private readonly learned = new Map<number, LayeredKnowledge>()
  private taken = 0

  /** @param sets how many, a power of two up to 65,536 */
  constructor(readonly sets: number) {
    const slots = sets * WAYS
    this.kinds = new Uint8Array(slots)
    this.bssids = new Float64Array(slots)
    this.expiries = new Float64Array(slots)
    this.uses = new Float64Array(slots)
    this.places = new Float64Array(slots * FIELDS)
  }

  get isFull(): boolean {
    return this.taken > this.kinds.length * FULL
  }

  /**
   * @param use its number, higher than any before
   * @returns undefined where it is not there, or has expired
   */
  get(bssid: number, nowMs: number, use: number): Known | undefined {
    const slot = this.find(bssid)
    if (slot === undefined || (this.expiries[slot] ?? 0) <= nowMs) return undefined
    this.uses[slot] = use
    return this.read(slot)
  }

  /** @param use its number, higher than any before */
  set(bssid: number, known: Known, expiresAtMs: number, use: number): void {
    const slot = this.find(bssid) ?? this.leastUsed(bssid)
    this.free(slot)
    this.taken++
    this.bssids[slot] = bssid
    this.expiries[slot] = expiresAtMs
    this.uses[slot] = use
    this.kinds[slot] = kindOf(known)
    if (known === UNKNOWN) return
    if (this.kinds[slot] === LEARNED) this.learned.set(slot, known)
    else this.writePlace(slot, known)
  }

  delete(bssid: number): void {
    const slot = this.find(bssid)
    if (slot !== undefined) this.free(slot)
  }

  /** The same in a shard of twice as many sets. */
  doubled(): TableShard {
    const shard = new TableShard(2 * this.sets)
    for (let slot = 0; slot < this.kinds.length; slot++) {
      const [bssid, expiresAtMs, use] = [
        this.bssids[slot] ?? 0,
        this.expiries[slot] ?? 0,
        this.uses[slot] ?? 0,
      ]
      if (this.kinds[slot] !== FREE) shard.set(bssid, this.read(slot), expiresAtMs, use)
    }
    return shard
  }

  private find(bssid: number): number | undefined {
    const hash = addressHash(bssid, SEED)
    return this.findIn(this.firstSlotOf(hash), bssid) ?? this.findIn(this.firstSlotOf(hash >>> 16), bssid)
  }

  private findIn(first: number, bssid: number): number | undefined {
    for (let slot = first; slot < first + WAYS; slot++)
      if (this.bssids[slot] === bssid && this.kinds[slot] !== FREE) return slot
    return undefined
  }

  /** The slot that an address may take: a free one, else the one that was used the longest ago. */
  private leastUsed(bssid: number): number {
    const hash = addressHash(bssid, SEED)
    const one = this.leastUsedIn(this.firstSlotOf(hash))
    const other = this.leastUsedIn(this.firstSlotOf(hash >>> 16))
    return (this.uses[one] ?? 0) <= (this.uses[other] ?? 0) ? one : other
  }

  private leastUsedIn(first: number): number {
    let least = first
    for (let slot = first + 1; slot < first + WAYS; slot++)
      if ((this.uses[slot] ?? 0) < (this.uses[least] ?? 0)) least = slot
    return least
  }

  private firstSlotOf(hash: number): number {
    return (hash & (this.sets - 1)) * WAYS
  }

  private free(slot: number): void {
    if (this.kinds[slot] === FREE) return
    this.kinds[slot] = FREE
    this.uses[slot] = 0
    this.learned.delete(slot)
    this.taken--
  }

  private read(slot: number): Known {
    const kind = this.kinds[slot]
    if (kind === LEARNED) return this.learned.get(slot) ?? UNKNOWN
    if (kind === NOTHING) return UNKNOWN
    const { places } = this
    const at = slot * FIELDS
    const place = {
      lat: places[at] ?? 0,
      lon: places[at + 1] ?? 0,
      spreadMeters: places[at + 2] ?? 0,
      observations: places[at + 3] ?? 0,
    }
    const isShared = kind === SHARED_PLACE
    return { all: place, own: isShared ? undefined : place, isShared }
  }

  private writePlace(slot: number, { all }: LayeredKnowledge): void {
    const at = slot * FIELDS
    this.places[at] = all.lat
    this.places[at + 1] = all.lon
    this.places[at + 2] = all.spreadMeters
    this.places[at + 3] = all.observations
  }
}

function kindOf(known: Known): number {
  if (known === UNKNOWN) return NOTHING
  const { all, own, isShared } = known
  if ('cells' in all) return LEARNED
  if (own === all && !isShared) return OWN_PLACE
  return own === undefined && isShared ? SHARED_PLACE : LEARNED
}
