import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto'
import { checkpointNote, checkpointText, originOf, verificationKey } from '@bearing/access/checkpoint'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'

/** Begins the DER of an Ed25519 private key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SEED_BYTES = 32

/**
 * Signs checkpoints with keys that follow from the signing keys of claims, which the database does not have. Derived, so that
 * neither signature can stand for the other. Every key signs: while keys are rotated, a kept key still verifies.
 */
@Injectable()
export class CheckpointKeys {
  private readonly keys
  private readonly host: string

  /** The public URL names the installation in origins (default: `bearing`). */
  constructor(@Inject(SETTINGS) { IDENTITY_SIGNING_KEYS, PUBLIC_URL }: Settings) {
    this.host = PUBLIC_URL === '' ? 'bearing' : new URL(PUBLIC_URL).host
    this.keys = IDENTITY_SIGNING_KEYS.map(({ d }) => {
      const seed = hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'bearing audit checkpoint', SEED_BYTES)
      const der = Buffer.concat([PKCS8, Buffer.from(seed)])
      const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
      const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
      return { key, publicKey: Buffer.from(x, 'base64url') }
    })
  }

  /** Returns the signed note of a chain of some length that ends with a hash, in hexadecimal. */
  sign(chain: string, size: number, hash: string): string {
    const checkpoint = { origin: originOf(this.host, chain), size, hash }
    const text = Buffer.from(checkpointText(checkpoint))
    return checkpointNote(
      checkpoint,
      this.keys.map(({ key, publicKey }) => ({ publicKey, signature: sign(null, text, key) })),
    )
  }

  /** Returns what verifies the notes of a chain. */
  verificationKeys(chain: string): string[] {
    return this.keys.map(({ publicKey }) => verificationKey(originOf(this.host, chain), publicKey))
  }
}
