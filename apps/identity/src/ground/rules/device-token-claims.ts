import type { DEVICE_TOKEN_REFUSALS } from '@bearing/contracts/identity/credentials/credential'

/** The longest life of a token from now on, in seconds: 24 hours. */
const MAX_LIFE_S = 86_400
/** Allowed difference between the clocks of device and server, in seconds. */
export const CLOCK_SKEW_S = 300

/** Claims of a token (RFC 7519). */
export interface TokenClaims {
  readonly sub?: string | undefined
  readonly aud?: string | string[] | undefined
  readonly exp?: number | undefined
  readonly iat?: number | undefined
  readonly nbf?: number | undefined
}

/** Values that the claims of a token are compared with. */
export interface TokenRules {
  /** The device that has the key. */
  readonly serial: string
  /** Accepted audiences. */
  readonly audiences: readonly string[]
  readonly mayHaveNoExpiry: boolean
  /** Seconds since 1970. */
  readonly nowS: number
}

/** Returns why a token is refused whose signature is right; undefined if it is accepted. */
export function refusalOfClaims(
  { sub, aud, exp, iat, nbf }: TokenClaims,
  { serial, audiences, mayHaveNoExpiry, nowS }: TokenRules,
): 'expired' | (typeof DEVICE_TOKEN_REFUSALS)[number] | undefined {
  const isForUs = aud === undefined || [aud].flat().some((one) => audiences.includes(one))
  if (!isForUs || (sub !== undefined && sub !== serial)) return 'device_token_for_other'
  // A clock that is wrong also makes `exp` wrong, and is the better advice.
  if ([iat, nbf].some((from) => from !== undefined && from > nowS + CLOCK_SKEW_S))
    return 'device_token_from_future'
  if (exp === undefined) return mayHaveNoExpiry ? undefined : 'device_token_without_expiry'
  if (exp + CLOCK_SKEW_S <= nowS) return 'expired'
  return exp > nowS + MAX_LIFE_S + CLOCK_SKEW_S ? 'device_token_too_long' : undefined
}
