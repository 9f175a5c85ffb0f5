import { OperationError, invalidInput } from '@bearing/contracts/errors'
import { logOutAtProvider } from '@bearing/contracts/identity/sso/sign-on'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { Database } from '../../ground/database.js'
import { endSessionsAtProvider } from '../../people/sessions/end-sessions.js'
import { noConnection } from '../connections/connection-row.js'
import { IssuerKeys } from '../openid/issuer-keys.js'
import { ProviderClaims, ProviderSid } from '../openid/openid-provider.js'
import { SIGNING_ALGORITHMS } from '../openid/provider-metadata.js'
import { CodeExchangeLimit, sharesOf } from './code-exchange-limit.js'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Allowed difference between the clocks of provider and Bearing, in seconds. */
const CLOCK_TOLERANCE_S = 30
/** The oldest token that is accepted, in seconds. */
const MAX_AGE_S = 600

/** The claims of a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4). */
const LogoutClaims = z
  .object({
    sub: ProviderClaims.shape.sub.optional(),
    sid: ProviderSid.optional(),
    iat: z.number(),
    jti: z.string(),
    events: z.object({ [EVENT]: z.looseObject({}) }),
    // An ID token has one: it must not pass for a logout token.
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

@Controller()
export class LogOutAtProvider {
  constructor(
    private readonly database: Database,
    private readonly keys: IssuerKeys,
    private readonly limit: CodeExchangeLimit,
    private readonly clock: Clock,
  ) {}

  /** A token that is sent again ends nothing new, so its `jti` is not stored. */
  @Handle(logOutAtProvider)
  async execute(input: Input<typeof logOutAtProvider>): Promise<Output<typeof logOutAtProvider>> {
    const { connection_id: id } = input
    const row = await this.database.ssoConnection.findUnique({
      where: { id },
      select: { id: true, organizationId: true, issuer: true, clientId: true },
    })
    if (!row) throw noConnection()
    const { sub, sid, iat } = await this.limit.run(sharesOf(row), () => this.verify(input.logout_token, row))
    const logout = {
      connectionId: id,
      organizationId: row.organizationId,
      subject: sub,
      sid,
      before: new Date((iat + CLOCK_TOLERANCE_S) * 1_000),
    }
    await this.database.transaction((transaction) => endSessionsAtProvider(transaction, ANONYMOUS, logout))
    return {}
  }

  private async verify(
    token: string,
    { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
  ) {
    const keys = await this.keys.of(issuer, null)
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: clientId,
        algorithms: [...SIGNING_ALGORITHMS],
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: this.clock.now(),
        maxTokenAge: MAX_AGE_S,
      })
      return LogoutClaims.parse(payload)
    } catch (cause) {
      if (cause instanceof errors.JOSEError && !(cause instanceof errors.JWKSTimeout)) throw refused()
      if (cause instanceof z.ZodError) throw refused()
      throw new OperationError(
        'service_unavailable',
        'The keys of the identity provider cannot be read. Try again shortly.',
        { retry_after: 30 },
        { cause },
      )
    }
  }
}

function refused(): OperationError {
  return invalidInput(
    '/logout_token',
    'is not a logout token of the provider for this connection: check its signature, issuer, audience, age, events, and sub or sid',
  )
}
