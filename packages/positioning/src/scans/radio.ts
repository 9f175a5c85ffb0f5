/** The bit of a MAC address that says it is locally administered: the second lowest of the first octet. */
const LOCAL_BIT = 2 ** 41
/** The same in the upper 16 of the 48 bits. */
const LOCAL_BIT_OF_UPPER = 2 ** 9
/** Serials are below this ({@link serialOf}). */
const SERIALS = 2 ** 24
/**
 * Addresses whose serials differ by at most this may belong to one box. Vendors assign blocks of 2 to 32 consecutive addresses
 * to a box, which start anywhere.
 */
const BOX_SERIALS = 32

/**
 * Returns the radio that a BSSID belongs to. One access point announces several networks, with BSSIDs that differ in the last
 * hexadecimal digit and in the locally-administered bit. They are heard together, so they are one piece of evidence, not several.
 *
 * @param bssid 48 bits as an integer
 * @returns the first 11 hexadecimal digits without that bit
 */
export function radioOf(bssid: number): number {
  const isLocal = (Math.floor(bssid / 2 ** 32) & LOCAL_BIT_OF_UPPER) !== 0
  const universal = isLocal ? bssid - LOCAL_BIT : bssid
  return Math.floor(universal / 16)
}

/**
 * Returns the part of a BSSID that numbers the devices of a vendor: the lower 24 bits. Two addresses of one box are close in it. The upper
 * 24 bits may differ: access points change them to create locally administered addresses (`80:2a:a8:17:74:b5`, `82:…`, `92:…`).
 * Two addresses of different boxes are this close by chance in 1 of 260,000 cases.
 *
 * @param bssid 48 bits as an integer
 */
export function serialOf(bssid: number): number {
  // As the remainder, which takes several times as long.
  return bssid - Math.floor(bssid / SERIALS) * SERIALS
}

/**
 * Counts boxes: the largest number of addresses of which no two may belong to one box. Addresses of one box therefore count once,
 * also across the borders of hexadecimal digits, and a long run of consecutive addresses still counts as several boxes.
 */
export class BoxCounter {
  private last = -Infinity
  private boxes = 0

  /** Adds an address. Serials come in ascending order. */
  add(serial: number): void {
    if (serial - this.last <= BOX_SERIALS) return
    this.last = serial
    this.boxes++
  }

  /** The number of boxes so far. */
  get count(): number {
    return this.boxes
  }
}

/**
 * Returns whether BSSIDs belong to at least so many boxes. Most scans are decided by their first addresses, without sorting.
 *
 * @param least a small number
 */
export function areOfRadios(bssids: Iterable<number>, least: number): boolean {
  const all = [...bssids]
  const found: number[] = []
  for (const bssid of all) {
    if (found.length >= least) return true
    const serial = serialOf(bssid)
    if (!found.some((other) => areClose(serial, other))) found.push(serial)
  }
  return found.length >= least || countRadios(all) >= least
}

/** Returns whether two BSSIDs may belong to one box, and so are one piece of evidence. */
export function mayBeOfOneBox(bssid: number, other: number): boolean {
  return areClose(serialOf(bssid), serialOf(other))
}

function areClose(serial: number, other: number): boolean {
  return Math.abs(serial - other) <= BOX_SERIALS
}

/** Returns how many boxes BSSIDs belong to at least (see {@link BoxCounter}). */
export function countRadios(bssids: Iterable<number>): number {
  const counter = new BoxCounter()
  for (const serial of [...bssids].map(serialOf).sort((a, b) => a - b)) counter.add(serial)
  return counter.count
}

/** Returns how many BSSIDs each radio has among these; its size is how many radios there are. */
export function radiosOf(bssids: Iterable<number>): ReadonlyMap<number, number> {
  const radios = new Map<number, number>()
  for (const bssid of bssids) {
    const radio = radioOf(bssid)
    radios.set(radio, (radios.get(radio) ?? 0) + 1)
  }
  return radios
}
