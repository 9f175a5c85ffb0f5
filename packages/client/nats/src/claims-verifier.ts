import { OperationError } from '@bearing/contracts/errors'
import { CLAIMS_ALGORITHM, CLAIMS_ISSUER, type getJwks } from '@bearing/contracts/identity/credentials/jwks'
import type { Output } from '@bearing/contracts/operation'
import { Principal } from '@bearing/contracts/principal'
import { withOwnTime } from '@bearing/nats/call-context'
import { decodeProtectedHeader, importJWK, jwtVerify, type CryptoKey } from 'jose'
import { Cache } from './cache.js'

/** The most verified claims that are cached, and the most characters of all of them together. */
const MAX_CACHED_CLAIMS = 10_000
const MAX_CACHED_CHARACTERS = 8_000_000
/** Keys older than this are asked for again, so that one that was withdrawn is not trusted for ever, in milliseconds. */
const MAX_KEY_AGE_MS = 60_000
/** Time limit for identity to return its keys, in milliseconds. Callers wait for them. */
const KEYS_TIMEOUT_MS = 3_000
/** Unknown key ids make us ask for the keys again, but not more often than this, in milliseconds. */
const MIN_REFRESH_MS = 2_000
/** Leeway for clocks that do not agree, in seconds. */
const CLOCK_TOLERANCE_S = 5

interface CachedClaims {
  readonly principal: Principal
  readonly audience: string
  readonly expiresAtMs: number
}

/**
 * Verifies the claims that identity signs (JWT, RFC 7519; EdDSA, RFC 8037), offline, with keys asked for once. Verified
 * claims are cached until they expire: a gateway sends the same ones for up to 30 s.
 */
export class ClaimsVerifier {
  private keys = new Map<string, CryptoKey>()
  private refreshedAtMs = -Infinity
  private refreshing: Promise<void> | undefined
  private readonly cache = new Cache<CachedClaims>(MAX_CACHED_CHARACTERS, {
    max: MAX_CACHED_CLAIMS,
    sizeCalculation: (_, claims) => claims.length,
  })

  /** @param askKeys asks identity for its keys; called when a key is needed that is not known yet */
  constructor(
    private readonly askKeys: () => Promise<Output<typeof getJwks>>,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Returns the principal in signed claims.
   *
   * @param audiences the services whose claims are accepted: claims name exactly one
   * @throws OperationError `credential_invalid` if they are forged, expired or for another audience;
   *   `service_unavailable` if the keys cannot be fetched, or the principal is of a kind that only a newer version knows
   */
  readonly verify = async (claims: string, audiences: readonly string[]): Promise<Principal> => {
    const { principal, audience } = await this.verified(claims)
    if (!audiences.includes(audience)) throw invalid(new Error(`the claims are for "${audience}"`))
    return principal
  }

  private async verified(claims: string): Promise<CachedClaims> {
    const known = this.cache.get(claims)
    if (known) {
      if (known.expiresAtMs > this.now()) return known
      this.cache.delete(claims)
    }
    const key = await this.keyOf(claims)
    if (!key) throw invalid()
    const checked = await this.check(claims, key)
    this.cache.set(claims, checked)
    return checked
  }

  private async check(claims: string, key: CryptoKey): Promise<CachedClaims> {
    try {
      const { payload } = await jwtVerify(claims, key, {
        algorithms: [CLAIMS_ALGORITHM],
        issuer: CLAIMS_ISSUER,
        requiredClaims: ['aud', 'exp', 'iat', 'jti', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: new Date(this.now()),
      })
      // A list would make claims good for several services.
      if (typeof payload.aud !== 'string') throw new Error('the claims name no single audience')
      const expiresAtMs = ((payload.exp ?? 0) + CLOCK_TOLERANCE_S) * 1_000
      return { principal: readPrincipal(payload['principal']), audience: payload.aud, expiresAtMs }
    } catch (cause) {
      throw cause instanceof OperationError ? cause : invalid(cause)
    }
  }

  private async keyOf(claims: string): Promise<CryptoKey | undefined> {
    let id: string | undefined
    try {
      id = decodeProtectedHeader(claims).kid
    } catch (cause) {
      throw invalid(cause)
    }
    if (id === undefined) return undefined
    const ageMs = this.now() - this.refreshedAtMs
    if (!this.keys.has(id)) {
      if (ageMs >= MIN_REFRESH_MS || this.refreshing) await this.refresh()
    } else if (ageMs >= MAX_KEY_AGE_MS)
      // The old keys do until identity answers: being down must not stop what goes without it.
      this.refresh().catch(() => undefined)
    return this.keys.get(id)
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.takeKeys().finally(() => {
      this.refreshing = undefined
    })
    return this.refreshing
  }

  private async takeKeys(): Promise<void> {
    const { keys } = await withOwnTime(KEYS_TIMEOUT_MS, this.askKeys)
    const entries = await Promise.all(
      keys.map(async (jwk) => [jwk.kid, await importJWK(jwk, CLAIMS_ALGORITHM)] as const),
    )
    this.keys = new Map(entries)
    this.refreshedAtMs = this.now()
  }
}

/** Identity has signed it, so a principal that cannot be read is one of a newer version, and no reason to refuse the caller. */
function readPrincipal(principal: unknown): Principal {
  const parsed = Principal.safeParse(principal)
  if (parsed.success) return parsed.data
  throw new OperationError(
    'service_unavailable',
    'The signed claims cannot be read: identity is of a newer version than this service.',
    {},
    { cause: parsed.error },
  )
}

function invalid(cause?: unknown): OperationError {
  return new OperationError('credential_invalid', 'The signed claims are not valid.', {}, { cause })
}
