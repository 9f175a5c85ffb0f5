import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { Strategy } from 'passport-http-bearer'
import type { Caller } from '../../ground/route-config.js'
import { Authenticator } from '../authenticator.js'
import type { CredentialRequest } from './credential-request.js'

/**
 * Encodes a token as the header that {@link BearerStrategy} reads. The package splits the header at spaces, and a token
 * that came as Basic may contain some. Our own tokens contain no character that the encoding changes.
 */
export function bearerHeader(token: string): CredentialRequest['headers'] {
  return { authorization: `Bearer ${encodeURIComponent(token)}` }
}

/** Authenticates organization auth tokens, tokens that devices sign, and legacy tokens of the location service on the routes that accept them. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly authenticator: Authenticator) {
    super({ passReqToCallback: true })
  }

  validate({ kind, askedFor, deviceToken }: CredentialRequest, token: string): Promise<Caller> {
    if (deviceToken) return this.authenticator.introspect({ ...deviceToken, token }, askedFor)
    return this.authenticator.introspect(
      {
        kind: kind === 'legacy_token' ? kind : ORGANIZATION_TOKEN,
        token: decodeURIComponent(token),
      },
      askedFor,
    )
  }
}
