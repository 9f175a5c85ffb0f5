/**
 * 32 bits of which each depends on all 48 of an address (the last steps of MurmurHash3, A. Appleby).
 *
 * @param seed 32 bits. Use a secret one where a client that chooses addresses must not be able to slow the table down.
 *   Another seed gives an unrelated hash
 */
export function addressHash(bssid: number, seed: number): number {
  let mixed = Math.imul((bssid >>> 0) ^ seed, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13) ^ Math.floor(bssid / 2 ** 32), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
