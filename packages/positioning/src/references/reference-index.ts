import { Numbering, type NumberedAddresses } from '../scans/numbering.js'
import type { Vector } from '../earth/sphere.js'
import type { Height } from '../earth/height.js'

/** A scan whose place is known. */
export interface ReferenceScan {
  readonly place: Vector
  /** Each BSSID once, with its signal in dBm. */
  readonly readings: readonly (readonly [bssid: number, signalDbm: number])[]
  readonly height?: Height | undefined
}

/** Reference scans, by scan and by access point: arrays and few names, which a thread can hand to another without a copy. */
export interface ReferenceIndex {
  /** The numbers of the access points. */
  readonly numbering: NumberedAddresses
  /** For each access point where its list begins; `lists` holds scans, `heights` dB above silence. */
  readonly listStarts: Uint32Array<ArrayBuffer>
  readonly lists: Uint32Array<ArrayBuffer>
  readonly heights: Float32Array<ArrayBuffer>
  /** For each scan where its readings begin; `members` holds access points. */
  readonly scanStarts: Uint32Array<ArrayBuffer>
  readonly members: Uint32Array<ArrayBuffer>
  readonly signals: Float32Array<ArrayBuffer>
  /** For each scan the length of its vector of heights. */
  readonly norms: Float32Array<ArrayBuffer>
  /** For each scan its place: x, y and z of a {@link Vector}. Twenty thousand objects would cost the collection of garbage milliseconds. */
  readonly places: Float64Array<ArrayBuffer>
  /** For each scan its floor as an index into `floorNames`, plus 1; 0 where it does not say. */
  readonly floors: Uint16Array<ArrayBuffer>
  readonly floorNames: readonly string[]
  /** For each scan its altitude and how far that may be off, in meters; NaN where it does not say. */
  readonly altitudes: Float32Array<ArrayBuffer>
}

export function buffersOf({ numbering, floorNames: _, ...arrays }: ReferenceIndex): ArrayBuffer[] {
  return [numbering.addresses, numbering.numbers, ...Object.values(arrays)].map(({ buffer }) => buffer)
}

/** Number of scans and readings to index. */
export interface ReferenceCount {
  readonly scans: number
  /** Of all scans together. */
  readonly readings: number
}

/** Signals are compared as dB above this. */
const SILENCE_DBM = -100

/** Returns a signal in dB above silence. */
export function heightOf(signalDbm: number): number {
  return Math.max(1, signalDbm - SILENCE_DBM)
}

/**
 * Indexes reference scans. Tens of thousands of them take a tenth of a second.
 *
 * @param scans read one by one; as many as `count` says
 * @param seed of the {@link Numbering}; what is found does not depend on it
 */
export function referenceIndex(
  scans: Iterable<ReferenceScan>,
  count: ReferenceCount,
  seed = 0,
): ReferenceIndex {
  const numbering = new Numbering(seed)
  const places = new Float64Array(3 * count.scans)
  const scanStarts = new Uint32Array(count.scans + 1)
  const members = new Uint32Array(count.readings)
  const signals = new Float32Array(count.readings)
  const norms = new Float32Array(count.scans)
  const floors = new Uint16Array(count.scans)
  const altitudes = new Float32Array(2 * count.scans).fill(NaN)
  const names = new Map<string, number>()
  let [at, scan] = [0, 0]
  for (const { place, readings, height } of scans) {
    let squares = 0
    for (const [bssid, signalDbm] of readings) {
      members[at] = numbering.number(bssid)
      signals[at] = signalDbm
      squares += heightOf(signalDbm) ** 2
      at++
    }
    norms[scan] = Math.sqrt(squares)
    places[3 * scan] = place.x
    places[3 * scan + 1] = place.y
    places[3 * scan + 2] = place.z
    if (height?.floor !== undefined) floors[scan] = numberOfFloor(names, height.floor)
    if (height?.altitude) altitudes.set([height.altitude.meters, height.altitude.accuracyMeters], 2 * scan)
    scan++
    scanStarts[scan] = at
  }
  const lists = inverted(scanStarts, members, signals, numbering.size)
  const heights = { floors, floorNames: [...names.keys()], altitudes }
  return { numbering: numbering.packed(), places, scanStarts, members, signals, norms, ...heights, ...lists }
}

/** Most different names of floors in a project; those beyond count as not said. */
const MOST_FLOORS = 65_535

/** @returns 1 and up; 0 for a name too many */
function numberOfFloor(names: Map<string, number>, name: string): number {
  const known = names.get(name)
  if (known !== undefined) return known
  if (names.size === MOST_FLOORS) return 0
  names.set(name, names.size + 1)
  return names.size
}

/** For each access point the scans that heard it, in their order. */
function inverted(
  scanStarts: Uint32Array,
  members: Uint32Array,
  signals: Float32Array,
  accessPoints: number,
): Pick<ReferenceIndex, 'listStarts' | 'lists' | 'heights'> {
  const listStarts = new Uint32Array(accessPoints + 1)
  for (const member of members) listStarts[member + 1] = (listStarts[member + 1] ?? 0) + 1
  for (let index = 0; index < accessPoints; index++)
    listStarts[index + 1] = (listStarts[index + 1] ?? 0) + (listStarts[index] ?? 0)
  const lists = new Uint32Array(members.length)
  const heights = new Float32Array(members.length)
  const next = listStarts.slice()
  let scan = 0
  for (let at = 0; at < members.length; at++) {
    while (at >= (scanStarts[scan + 1] ?? Infinity)) scan++
    const member = members[at] ?? 0
    const slot = next[member] ?? 0
    next[member] = slot + 1
    lists[slot] = scan
    heights[slot] = heightOf(signals[at] ?? 0)
  }
  return { listStarts, lists, heights }
}
