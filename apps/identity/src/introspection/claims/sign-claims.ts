import { CLAIMS_ALGORITHM, CLAIMS_ISSUER } from '@bearing/contracts/identity/jwks'
import { ORGANIZATION_TOKEN, type Principal } from '@bearing/contracts/principal'
import { SignJWT, type CryptoKey } from 'jose'
import type { Clock } from '@bearing/service/clock'
import type { Randomness } from '@bearing/service/randomness'
import { claimsExpiry } from '../../ground/rules/claims-expiry.js'

/** What claims are made for. */
export interface ClaimsScope {
  /** The service that receives them. */
  readonly audience: string
  /** The organization that the request is about. Undefined: a request of users about themselves. */
  readonly organizationId?: string | undefined
}

/** Signed claims, as operations return them. */
export interface SignedClaims {
  readonly claims: string
  /** Seconds since 1970. */
  readonly claims_expire_at: number
}

/** Signs who a caller is (JWT, RFC 7519; EdDSA, RFC 8037), for the services to verify without asking. */
export class SignClaims {
  /**
   * @param key the private key
   * @param keyId its `kid`
   * @param lifetimeS how long claims are good for, in seconds
   */
  constructor(
    private readonly key: CryptoKey,
    private readonly keyId: string,
    private readonly lifetimeS: number,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Signs the claims of a principal, for one service; those of a user with at most the grant on one organization. */
  async sign(holder: Principal, { audience, organizationId }: ClaimsScope): Promise<SignedClaims> {
    const principal = scopedTo(holder, organizationId)
    const now = Math.floor(this.clock.nowMs() / 1_000)
    const expiry = claimsExpiry(principal, now, this.lifetimeS)
    const cred = principal.kind === 'service' ? undefined : principal.credential_id
    const claims = await new SignJWT({ ...(cred !== undefined && { cred }), principal })
      .setProtectedHeader({ alg: CLAIMS_ALGORITHM, kid: this.keyId, typ: 'JWT' })
      .setIssuer(CLAIMS_ISSUER)
      .setAudience(audience)
      .setSubject(`${principal.kind}:${subject(principal)}`)
      .setIssuedAt(now)
      .setExpirationTime(expiry)
      .setJti(Buffer.from(this.randomness.bytes(16)).toString('base64url'))
      .sign(this.key)
    return { claims, claims_expire_at: expiry }
  }
}

function scopedTo(principal: Principal, organizationId: string | undefined): Principal {
  if (principal.kind !== 'user') return principal
  return {
    ...principal,
    grants: principal.grants.filter((grant) => grant.organization_id === organizationId),
  }
}

/** Whoever it is, by whichever credential: a user has the same subject with a key and with a password. */
function subject(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return principal.user_id
    case ORGANIZATION_TOKEN:
    case 'project_key':
      return principal.credential_id
    case 'service':
      return principal.name
  }
}
