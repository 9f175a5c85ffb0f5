import { addressHash } from '@bearing/positioning/scans/address-hash'
import type { LayeredKnowledge } from '@bearing/positioning/estimate/layered-estimate'

/** Stands for an access point that an organization has no position for. */
export const UNKNOWN = Symbol('unknown access point')

/** Knowledge of an access point, or `UNKNOWN`. */
export type Known = LayeredKnowledge | typeof UNKNOWN

/** A position, to be written to. */
export interface CachedPlace {
  lat: number
  lon: number
  spreadMeters: number
  observations: number
}

/** Kind of a cached entry: a position of the organization or of the base layer, none, or more than a position. */
export type CachedKind = 'own' | 'base' | 'unknown' | 'more'

/** Slots of a set. An address leads to two sets, and is in one of their slots. */
export const WAYS = 16

/** More than this share of its slots, and a shard is doubled if it may be. */
const FULL = 0.75
/** Slots for each access point of which more is known than a position: it takes about as much memory as these. */
const SLOTS_A_LEARNED = 8
const SEED = 0
/** In the place of the address of a free slot. */
const NO_ADDRESS = -1

// The numbers of a slot: what is read with one access point lies side by side, since each is somewhere else in memory.
const KIND = 0
const EXPIRES_AT_MS = 1
/** The number of the last use; 0 in a free slot. */
const USE = 2
const LAT = 3
const LON = 4
const SPREAD = 5
const OBSERVATIONS = 6
const FIELDS = 7

// Contents of a slot.
const NOTHING = 1
/** A position that the organization has imported. */
const OWN_PLACE = 2
/** A position of the base layer. */
const BASE_PLACE = 3
/** More than a position, of no fixed length. */
const LEARNED = 4
/** The same that a list has declared. */
const DECLARED_PLACE = 5
/** Added to the kind of what is cached for longer as long as its changes are checked. */
const CHECKED = 8

/** For how long something is cached. */
interface Expiry {
  readonly expiresAtMs: number
  /** True if it is cached only as long as its changes are checked. */
  readonly isChecked: boolean
}

/**
 * A part of an `AccessPointTable`: 64 bytes for each of its slots, and an object only for an access point of which more is known
 * than a position. An address that leads to two sets hardly ever finds both of them full before all are (Y. Azar et al., "Balanced
 * allocations", STOC 1994).
 */
export class TableShard {
  private readonly bssids: Float64Array
  private readonly numbers: Float64Array
  private readonly learned = new Map<number, LayeredKnowledge>()
  private taken = 0

  /** @param sets how many, a power of two up to 65,536 */
  constructor(readonly sets: number) {
    const slots = sets * WAYS
    this.bssids = new Float64Array(slots).fill(NO_ADDRESS)
    this.numbers = new Float64Array(slots * FIELDS)
  }

  /** Access points in it, expired ones included. */
  get entries(): number {
    return this.taken
  }

  get isFull(): boolean {
    return this.taken > this.bssids.length * FULL || this.learned.size >= this.mostLearned
  }

  private get mostLearned(): number {
    return this.bssids.length / SLOTS_A_LEARNED
  }

  /**
   * @param checkedNowMs by which those whose changes are checked expire
   * @param use its number, higher than any before
   * @returns undefined where it is not there, or has expired
   */
  get(bssid: number, nowMs: number, checkedNowMs: number, use: number): Known | undefined {
    const slot = this.find(bssid)
    if (slot === undefined || this.isExpired(slot, nowMs, checkedNowMs)) return undefined
    this.numbers[slot * FIELDS + USE] = use
    return this.read(slot)
  }

  /**
   * Does what {@link get} does, but writes a position to `place` instead of making objects.
   *
   * @returns undefined where it is not there, or has expired
   */
  readPlace(
    bssid: number,
    nowMs: number,
    checkedNowMs: number,
    use: number,
    place: CachedPlace,
  ): CachedKind | undefined {
    const slot = this.find(bssid)
    if (slot === undefined || this.isExpired(slot, nowMs, checkedNowMs)) return undefined
    this.numbers[slot * FIELDS + USE] = use
    const kind = this.number(slot, KIND) % CHECKED
    if (kind === LEARNED) return 'more'
    if (kind === NOTHING) return 'unknown'
    place.lat = this.number(slot, LAT)
    place.lon = this.number(slot, LON)
    place.spreadMeters = this.number(slot, SPREAD)
    place.observations = this.number(slot, OBSERVATIONS)
    return kind === BASE_PLACE ? 'base' : 'own'
  }

  /** Returns whether it is there, and has not expired. */
  has(bssid: number, nowMs: number, checkedNowMs: number): boolean {
    const slot = this.find(bssid)
    return slot !== undefined && !this.isExpired(slot, nowMs, checkedNowMs)
  }

  /** @param use its number, higher than any before */
  set(bssid: number, known: Known, { expiresAtMs, isChecked }: Expiry, use: number): void {
    const slot = this.find(bssid) ?? this.leastUsed(bssid)
    this.free(slot)
    this.taken++
    this.bssids[slot] = bssid
    const kind = kindOf(known)
    const at = slot * FIELDS
    this.numbers[at + KIND] = isChecked ? kind + CHECKED : kind
    this.numbers[at + EXPIRES_AT_MS] = expiresAtMs
    this.numbers[at + USE] = use
    if (known === UNKNOWN) return
    if (kind !== LEARNED) this.writePlace(slot, known)
    else {
      this.learned.set(slot, known)
      const [oldest] = this.learned.keys()
      if (oldest !== undefined && this.learned.size > this.mostLearned) this.free(oldest)
    }
  }

  delete(bssid: number): void {
    const slot = this.find(bssid)
    if (slot !== undefined) this.free(slot)
  }

  /** Returns the same in a shard of twice as many sets. */
  doubled(): TableShard {
    const shard = new TableShard(2 * this.sets)
    for (const [slot, bssid] of this.bssids.entries()) {
      if (bssid === NO_ADDRESS) continue
      const expiry = { expiresAtMs: this.number(slot, EXPIRES_AT_MS), isChecked: this.isChecked(slot) }
      shard.set(bssid, this.read(slot), expiry, this.number(slot, USE))
    }
    return shard
  }

  private isExpired(slot: number, nowMs: number, checkedNowMs: number): boolean {
    return this.number(slot, EXPIRES_AT_MS) <= (this.isChecked(slot) ? checkedNowMs : nowMs)
  }

  private isChecked(slot: number): boolean {
    return this.number(slot, KIND) >= CHECKED
  }

  private number(slot: number, field: number): number {
    return this.numbers[slot * FIELDS + field] ?? 0
  }

  private find(bssid: number): number | undefined {
    const hash = addressHash(bssid, SEED)
    return this.findIn(this.firstSlotOf(hash), bssid) ?? this.findIn(this.firstSlotOf(hash >>> 16), bssid)
  }

  private findIn(first: number, bssid: number): number | undefined {
    for (let slot = first; slot < first + WAYS; slot++) if (this.bssids[slot] === bssid) return slot
    return undefined
  }

  /** Returns the slot that an address may take: a free one, else the one that was used the longest ago. */
  private leastUsed(bssid: number): number {
    const hash = addressHash(bssid, SEED)
    const one = this.leastUsedIn(this.firstSlotOf(hash))
    const other = this.leastUsedIn(this.firstSlotOf(hash >>> 16))
    return this.number(one, USE) <= this.number(other, USE) ? one : other
  }

  private leastUsedIn(first: number): number {
    let least = first
    for (let slot = first + 1; slot < first + WAYS; slot++)
      if (this.number(slot, USE) < this.number(least, USE)) least = slot
    return least
  }

  private firstSlotOf(hash: number): number {
    return (hash & (this.sets - 1)) * WAYS
  }

  private free(slot: number): void {
    if (this.bssids[slot] === NO_ADDRESS) return
    this.bssids[slot] = NO_ADDRESS
    this.numbers[slot * FIELDS + USE] = 0
    this.learned.delete(slot)
    this.taken--
  }

  private read(slot: number): Known {
    const kind = this.number(slot, KIND) % CHECKED
    if (kind === LEARNED) return this.learned.get(slot) ?? UNKNOWN
    if (kind === NOTHING) return UNKNOWN
    const known = {
      lat: this.number(slot, LAT),
      lon: this.number(slot, LON),
      spreadMeters: this.number(slot, SPREAD),
      observations: this.number(slot, OBSERVATIONS),
      // All have the same fields: they are read many times.
      isDeclared: kind === DECLARED_PLACE ? true : undefined,
    }
    return { known, isOwn: kind !== BASE_PLACE }
  }

  private writePlace(slot: number, { known }: LayeredKnowledge): void {
    const at = slot * FIELDS
    this.numbers[at + LAT] = known.lat
    this.numbers[at + LON] = known.lon
    this.numbers[at + SPREAD] = known.spreadMeters
    this.numbers[at + OBSERVATIONS] = known.observations
  }
}

function kindOf(one: Known): number {
  if (one === UNKNOWN) return NOTHING
  const { known, isOwn } = one
  if ('cells' in known) return LEARNED
  if (!isOwn) return BASE_PLACE
  return known.isDeclared ? DECLARED_PLACE : OWN_PLACE
}
