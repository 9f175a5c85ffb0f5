import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TokenKind } from '@bearing/access/token-format'

/** A key that only identity has. Without it the database reveals nothing about secrets. */
export interface Pepper {
  readonly id: string
  readonly key: Uint8Array
}

/** A secret with too many random bits to guess. */
export interface RandomSecret {
  readonly kind: TokenKind | 'recovery_code'
  /** Id of the token, or of the user whose recovery code it is. */
  readonly id: string
  readonly secret: Uint8Array
}

export interface StoredSecret {
  readonly secretHash: Uint8Array
  readonly pepperId: string
}

/** Compared with if there is no row, so that both cases take the same time. No HMAC-SHA-256 is known to result in it. */
const NO_HASH = Buffer.alloc(32)

/**
 * Hashes and verifies secrets of tokens (HMAC-SHA-256, RFC 2104). They have 256 random bits, and recovery codes 80, so no
 * slow hash is needed.
 */
export class Peppers {
  private readonly byId: ReadonlyMap<string, Pepper>

  /** @param peppers the first one is for new secrets, all of them for verifying */
  constructor(private readonly peppers: readonly [Pepper, ...Pepper[]]) {
    this.byId = new Map(peppers.map((pepper) => [pepper.id, pepper]))
  }

  /** Returns the columns to store. */
  hash(token: RandomSecret): { secretHash: Uint8Array<ArrayBuffer>; pepperId: string } {
    const [current] = this.peppers
    return { secretHash: digest(current, token), pepperId: current.id }
  }

  /** The ids of the configured peppers, the current one first. */
  get ids(): readonly string[] {
    return this.peppers.map(({ id }) => id)
  }

  /** Returns whether a stored hash has the current pepper. */
  isCurrent({ pepperId }: Pick<StoredSecret, 'pepperId'>): boolean {
    return pepperId === this.peppers[0].id
  }

  /**
   * Returns whether a secret is the stored one, in the same time for a wrong secret and for no row.
   *
   * @throws UnknownPepperError if the pepper is not configured anymore
   */
  verify(token: RandomSecret, stored: StoredSecret | undefined): boolean {
    const pepper = stored ? this.byId.get(stored.pepperId) : this.peppers[0]
    if (!pepper)
      throw new UnknownPepperError(`the pepper "${stored?.pepperId ?? ''}" is in use but not configured`)
    return timingSafeEqual(digest(pepper, token), stored?.secretHash ?? NO_HASH) && stored !== undefined
  }
}

/** The pepper of a row is not configured. */
export class UnknownPepperError extends Error {
  override readonly name = 'UnknownPepperError'
}

/** Includes kind and id, so a hash copied to another row or table is useless there. */
function digest(pepper: Pepper, { kind, id, secret }: RandomSecret): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', pepper.key).update(`${kind}\0${id}\0`).update(secret).digest())
}
