import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TokenKind } from '@bearing/access/token-format'

/** A key that only identity has: whoever reads the database without it learns nothing about the secrets. */
export interface Pepper {
  readonly id: string
  readonly key: Uint8Array
}

/** A secret with enough random bits that it cannot be guessed, and what it belongs to. */
export interface RandomSecret {
  readonly kind: TokenKind | 'recovery_code'
  /** Id of the token, or of the user whose recovery code it is. */
  readonly id: string
  readonly secret: Uint8Array
}

/** What is stored of a secret. */
export interface StoredSecret {
  readonly secretHash: Uint8Array
  readonly pepperId: string
}

/** Compared with where there is no row, so that both cases cost the same. No HMAC-SHA-256 is known to give it. */
const NOBODY = Buffer.alloc(32)

/**
 * Hashes the secrets of tokens (HMAC-SHA-256, RFC 2104) and checks them. They have 256 random bits, and recovery codes
 * 80, so a slow hash would gain nothing.
 */
export class Peppers {
  private readonly byId: ReadonlyMap<string, Pepper>

  /** @param peppers the first one is used for new secrets, all of them for checking */
  constructor(private readonly peppers: readonly [Pepper, ...Pepper[]]) {
    this.byId = new Map(peppers.map((pepper) => [pepper.id, pepper]))
  }

  /** What to store of a token. */
  hash(token: RandomSecret): { secretHash: Uint8Array<ArrayBuffer>; pepperId: string } {
    const [current] = this.peppers
    return { secretHash: digest(current, token), pepperId: current.id }
  }

  /** The ids of the peppers that are configured, the one for new secrets first. */
  get ids(): readonly string[] {
    return this.peppers.map(({ id }) => id)
  }

  /** Whether what is stored was made with the pepper for new secrets. */
  isCurrent({ pepperId }: Pick<StoredSecret, 'pepperId'>): boolean {
    return pepperId === this.peppers[0].id
  }

  /**
   * Whether a token is the one that was stored. Takes the same time for a wrong secret and for no row.
   *
   * @param stored what is stored under the token's id; undefined where nothing is
   * @throws where the pepper is not configured any more: then nobody can tell whether the token is right
   */
  verify(token: RandomSecret, stored: StoredSecret | undefined): boolean {
    const pepper = stored ? this.byId.get(stored.pepperId) : this.peppers[0]
    if (!pepper)
      throw new UnknownPepperError(`the pepper "${stored?.pepperId ?? ''}" is in use but not configured`)
    return timingSafeEqual(digest(pepper, token), stored?.secretHash ?? NOBODY) && stored !== undefined
  }
}

/** A row was made with a pepper that is not configured. */
export class UnknownPepperError extends Error {
  override readonly name = 'UnknownPepperError'
}

/** Kind and id go in too, so a hash copied to another row or table is of no use there. */
function digest(pepper: Pepper, { kind, id, secret }: RandomSecret): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', pepper.key).update(`${kind}\0${id}\0`).update(secret).digest())
}
