import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import type { createDeviceKey } from '@bearing/contracts/identity/devices/device-key'
import { invalidInput } from '@bearing/contracts/errors'
import type { Input } from '@bearing/contracts/operation'
import { calculateJwkThumbprint } from 'jose'
import { algorithmOf } from '../rules/device-public-key.js'

type Given = Input<typeof createDeviceKey>['public_key']

/** A public key as it is stored. */
export interface ReadKey {
  readonly publicKey: Buffer<ArrayBuffer>
  readonly thumbprint: Buffer<ArrayBuffer>
  readonly keyHash: Buffer<ArrayBuffer>
}

/**
 * Reads a public key from PEM or a JWK.
 *
 * @throws OperationError `invalid_input` if it is none, of a curve that is not accepted, or a private key
 */
export async function readPublicKey(given: Given): Promise<ReadKey> {
  const key = parse(given)
  if (!key || !algorithmOf(key))
    throw invalidInput('/public_key', 'must be a public key of P-256, P-384 or Ed25519, as PEM or JWK')
  return readKey(key)
}

/** Returns a public key as it is stored. It must be of a kind that devices may have. */
export async function readKey(key: KeyObject): Promise<ReadKey> {
  const publicKey = Buffer.from(key.export({ type: 'spki', format: 'der' }))
  return {
    publicKey,
    thumbprint: Buffer.from(await calculateJwkThumbprint(key.export({ format: 'jwk' })), 'base64url'),
    keyHash: Buffer.from(hash('sha256', publicKey, 'buffer')),
  }
}

function parse(given: Given): KeyObject | undefined {
  // Node would derive the public key from a private one.
  const isPrivate = typeof given === 'string' ? given.includes('PRIVATE KEY') : 'd' in given
  if (isPrivate)
    throw invalidInput('/public_key', 'is a private key: treat it as leaked, and make another one')
  try {
    return typeof given === 'string' ? createPublicKey(given) : createPublicKey({ key: given, format: 'jwk' })
  } catch {
    return undefined
  }
}
