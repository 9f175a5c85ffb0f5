/** The bit of a MAC address that says it is locally administered: the second lowest of the first octet. */
const LOCAL_BIT = 2 ** 41
/** The same in the upper 16 of the 48 bits. */
const LOCAL_BIT_OF_UPPER = 2 ** 9

/**
 * The radio that a BSSID belongs to. One access point announces several networks, with BSSIDs that differ in the last
 * hexadecimal digit and in the locally-administered bit. They are heard together, so they are one witness, not several.
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
 * Whether BSSIDs are of so many radios at least. Stops as soon as that is known: a map of a whole scan takes twenty times
 * as long.
 *
 * @param least some few
 */
export function areOfRadios(bssids: Iterable<number>, least: number): boolean {
  const radios: number[] = []
  for (const bssid of bssids) {
    if (radios.length >= least) break
    const radio = radioOf(bssid)
    if (!radios.includes(radio)) radios.push(radio)
  }
  return radios.length >= least
}

/** How many BSSIDs each radio has among these; its size is how many radios there are. */
export function radiosOf(bssids: Iterable<number>): ReadonlyMap<number, number> {
  const radios = new Map<number, number>()
  for (const bssid of bssids) {
    const radio = radioOf(bssid)
    radios.set(radio, (radios.get(radio) ?? 0) + 1)
  }
  return radios
}
