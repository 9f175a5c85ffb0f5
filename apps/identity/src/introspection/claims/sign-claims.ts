import { CLAIMS_ALGORITHM, CLAIMS_ISSUER } from '@bearing/contracts/identity/credentials/jwks'
import { ORGANIZATION_TOKEN, type OrganizationGrant, type Principal } from '@bearing/contracts/principal'
import { SignJWT, importJWK, type CryptoKey } from 'jose'
import type { Clock } from '@bearing/service/ground/clock'
import type { Randomness } from '@bearing/service/ground/randomness'
import type { SigningKey } from '../../ground/rules/read-signing-keys.js'
import { claimsExpiry } from '../../ground/rules/claims-expiry.js'

export interface ClaimsScope {
  /** The service that receives them. */
  readonly audience: string
  /** The organization of the request; undefined for requests of users about themselves. */
  readonly organizationId?: string | undefined
}

/** Signed claims, as operations return them. */
export interface SignedClaims {
  readonly claims: string
  /** Seconds since 1970. */
  readonly claims_expire_at: number
}

/** Signs claims (JWT, RFC 7519; EdDSA, RFC 8037), which services verify without a call to identity. */
export class SignClaims {
  private constructor(
    private readonly key: CryptoKey,
    private readonly keyId: string,
    private readonly lifetimeS: number,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** @param lifetimeS of claims, in seconds */
  static async with(
    key: SigningKey,
    lifetimeS: number,
    clock: Clock,
    randomness: Randomness,
  ): Promise<SignClaims> {
    const privateKey = await importJWK({ ...key }, CLAIMS_ALGORITHM)
    return new SignClaims(privateKey, key.kid, lifetimeS, clock, randomness)
  }

  /** Signs claims of a principal for one service. Those of a user contain at most the grant of one organization. */
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
  const { deleted_grants = [], ...user } = principal
  const ofScope = ({ organization_id }: OrganizationGrant) => organization_id === organizationId
  const deleted = deleted_grants.filter(ofScope)
  return {
    ...user,
    grants: user.grants.filter(ofScope),
    ...(deleted.length > 0 && { deleted_grants: deleted }),
  }
}

/** Returns the subject: a user has the same one with a key and with a password. */
function subject(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return principal.user_id
    case ORGANIZATION_TOKEN:
    case 'project_key':
      return principal.credential_id
    case 'device':
      // The same with each of its keys.
      return `${principal.project_id}:${principal.device_serial}`
    case 'service':
      return principal.name
  }
}
