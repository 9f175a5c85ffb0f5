import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { NamedKey } from '../ground/named-keys.js'

/** The stored form of a secret that has to be read again. */
export interface SealedSecret {
  /** Nonce (12 bytes), ciphertext, tag (16 bytes). */
  readonly box: Uint8Array
  readonly keyId: string
}

/** A secret was sealed under a key that is not configured (any more): only an operator can repair that. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError'
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals what has to be read again, and so cannot be a hash: AES-256-GCM (NIST SP 800-38D) under keys derived from those
 * of the service (HKDF-SHA-256, RFC 5869). The database without the keys is not enough to read or create a box.
 */
export class SecretBox {
  private readonly byId: ReadonlyMap<string, NamedKey>

  /**
   * @param keys the first one is used for new boxes, all of them for opening
   * @param randomBytes that many bytes that nobody can foresee
   */
  constructor(
    private readonly keys: readonly [NamedKey, ...NamedKey[]],
    private readonly randomBytes: (length: number) => Uint8Array,
  ) {
    this.byId = new Map(keys.map((key) => [key.id, key]))
  }

  /**
   * Seals a secret. It takes the same purpose and subject to open it, so a box that is copied to another row or table is
   * of no use there.
   *
   * @param purpose what kind of secret it is: a constant of the code. Each has a key of its own
   * @param subject what it belongs to, for example the id of its row
   */
  seal(purpose: string, subject: string, plain: Uint8Array): { box: Uint8Array<ArrayBuffer>; keyId: string } {
    const [current] = this.keys
    const nonce = this.randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, keyFor(current, purpose), nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(subject))
    const parts = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]
    return { box: new Uint8Array(Buffer.concat(parts)), keyId: current.id }
  }

  /** Returns true if the stored secret was sealed under the key for new secrets. */
  isCurrent({ keyId }: Pick<SealedSecret, 'keyId'>): boolean {
    return keyId === this.keys[0].id
  }

  /**
   * Opens a box.
   *
   * @throws UnknownKeyError where the key is not configured any more
   * @throws Error where it is not a box of this purpose and subject, or was changed
   */
  open(purpose: string, subject: string, { box, keyId }: SealedSecret): Uint8Array {
    const key = this.byId.get(keyId)
    if (!key) throw new UnknownKeyError(`the key "${keyId}" is in use but not configured`)
    if (box.length < NONCE_BYTES + TAG_BYTES) throw new Error('what was sealed is too short')
    const nonce = box.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv(CIPHER, keyFor(key, purpose), nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(subject))
    decipher.setAuthTag(box.subarray(-TAG_BYTES))
    const plain = decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES))
    return new Uint8Array(Buffer.concat([plain, decipher.final()]))
  }
}

function keyFor({ key }: NamedKey, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `bearing sealed secret\0${purpose}`, KEY_BYTES))
}
