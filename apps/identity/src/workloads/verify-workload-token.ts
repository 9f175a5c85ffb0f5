import { OperationError } from '@bearing/contracts/errors'
import { ConcurrencyLimit } from '@bearing/nats/concurrency-limit'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose'
import type { WorkloadTrust } from '../generated/prisma/client.js'
import { IssuerKeys } from '../sso/openid/issuer-keys.js'
import { SIGNING_ALGORITHMS } from '../sso/openid/provider-metadata.js'
import { exchangeRefused } from './exchange-refused.js'

/** Allowed difference between the clocks of issuer and Bearing, in seconds, for the beginning of a token. */
const CLOCK_TOLERANCE_S = 30
/** Verifications at the same time, in total, per organization and per issuer: anonymous callers ask for them. */
const MAX_TOTAL = 64
const MAX_PER_ORGANIZATION = 32
const MAX_PER_ISSUER = 48
/** Header parameters that name a key: it would be the sender's own. `crit` names extensions that nothing here knows. */
const REFUSED_HEADERS = ['jwk', 'jku', 'x5c', 'x5u', 'crit'] as const

const MALFORMED = 'The subject token is no signed JWT of an accepted algorithm.'

/** Reads and verifies the tokens of workloads. */
@Injectable()
export class VerifyWorkloadToken {
  private readonly limit = new ConcurrencyLimit({
    limit: MAX_TOTAL,
    tooMany: 'Too many tokens of workloads are exchanged',
  })

  constructor(
    private readonly keys: IssuerKeys,
    private readonly clock: Clock,
  ) {}

  /** Returns the claims of a token without verifying them, to find its trust. */
  read(token: string): JWTPayload {
    try {
      const header = decodeProtectedHeader(token)
      const isUsable = header.alg !== undefined && SIGNING_ALGORITHMS.includes(header.alg)
      if (!isUsable || REFUSED_HEADERS.some((name) => name in header))
        throw exchangeRefused('invalid_request', MALFORMED)
      return decodeJwt(token)
    } catch (error) {
      if (error instanceof OperationError) throw error
      throw exchangeRefused('invalid_request', MALFORMED)
    }
  }

  /**
   * Verifies signature, issuer, audience and times of a token.
   *
   * @throws OperationError `token_exchange_refused`, `overloaded`; `service_unavailable` if the issuer's keys cannot be read
   */
  verify(token: string, trust: WorkloadTrust): Promise<JWTPayload> {
    const shares = [
      { key: `organization:${trust.organizationId}`, limit: MAX_PER_ORGANIZATION },
      { key: `issuer:${trust.issuer}`, limit: MAX_PER_ISSUER },
    ]
    return this.limit.run(shares, async () => {
      const keys = await this.keys.of(trust.issuer, trust.jwks)
      const now = this.clock.now()
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer: trust.issuer,
          audience: trust.audience,
          algorithms: [...SIGNING_ALGORITHMS],
          clockTolerance: CLOCK_TOLERANCE_S,
          currentDate: now,
          requiredClaims: ['exp', 'sub'],
        })
        // The tolerance is for the beginning of a token alone.
        if ((payload.exp ?? 0) * 1_000 <= now.getTime()) throw new errors.JWTExpired('expired', payload)
        return payload
      } catch (cause) {
        throw refusalOf(cause)
      }
    })
  }
}

function refusalOf(cause: unknown): OperationError {
  if (cause instanceof errors.JWTExpired)
    return exchangeRefused('invalid_request', 'The subject token has expired.')
  if (cause instanceof errors.JWTClaimValidationFailed)
    return exchangeRefused('invalid_request', `The subject token is refused for its claim "${cause.claim}".`)
  if (cause instanceof errors.JWKSNoMatchingKey)
    return exchangeRefused(
      'invalid_request',
      'The subject token is signed with a key that its issuer does not have. If the issuer has just replaced its keys, try again in 30 s.',
    )
  if (cause instanceof errors.JOSEError && !(cause instanceof errors.JWKSTimeout))
    return exchangeRefused('invalid_request', 'The signature of the subject token is wrong.')
  return new OperationError(
    'service_unavailable',
    'The keys of the issuer cannot be read. Try again shortly.',
    { retry_after: 30 },
    { cause },
  )
}
