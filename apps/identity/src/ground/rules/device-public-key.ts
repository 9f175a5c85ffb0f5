import { createPublicKey, type KeyObject } from 'node:crypto'
import type { DEVICE_ALGORITHMS } from '@bearing/contracts/identity/devices/device-key'

/** An algorithm of tokens that devices sign. */
export type DeviceAlgorithm = (typeof DEVICE_ALGORITHMS)[number]

/** Returns the only algorithm that a public key verifies; undefined if devices may not have such a key. */
export function algorithmOf(key: KeyObject): DeviceAlgorithm | undefined {
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA'
  if (key.asymmetricKeyType !== 'ec') return undefined
  const curve = key.asymmetricKeyDetails?.namedCurve
  return curve === 'prime256v1' ? 'ES256' : curve === 'secp384r1' ? 'ES384' : undefined
}

/** Reads a stored public key. @param publicKey DER of its SubjectPublicKeyInfo */
export function devicePublicKey(publicKey: Uint8Array): {
  readonly key: KeyObject
  readonly algorithm: DeviceAlgorithm
} {
  const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' })
  const algorithm = algorithmOf(key)
  if (!algorithm) throw new Error('a device key of another kind was stored')
  return { key, algorithm }
}

/** Bytes of the DER of a key with an uncompressed point, by algorithm. To read the curve from it takes a third as long as to verify. */
const LENGTHS: ReadonlyMap<number, DeviceAlgorithm> = new Map([
  [91, 'ES256'],
  [120, 'ES384'],
  [44, 'EdDSA'],
])

/** Returns the only algorithm that a stored public key verifies. @param publicKey DER of its SubjectPublicKeyInfo */
export function algorithmOfStored(publicKey: Uint8Array): DeviceAlgorithm {
  return LENGTHS.get(publicKey.length) ?? devicePublicKey(publicKey).algorithm
}
