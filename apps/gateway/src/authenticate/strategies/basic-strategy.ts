import { Buffer } from 'node:buffer'
import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { BasicStrategy as HttpBasicStrategy } from 'passport-http'
import type { Caller } from '../../ground/route-config.js'
import { Authenticator } from '../authenticator.js'
import type { CredentialRequest } from './credential-request.js'

/**
 * Encodes an email address and its secret as the header that {@link BasicStrategy} reads. Both are percent-encoded, since
 * passport-http 0.3.0 cuts the password at its first ":".
 */
export function basicHeader(email: string, secret: string): CredentialRequest['headers'] {
  const pair = `${encodeURIComponent(email)}:${encodeURIComponent(secret)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Authenticates users by email address with an API key or the account password. */
@Injectable()
export class BasicStrategy extends PassportStrategy(HttpBasicStrategy, 'basic') {
  constructor(private readonly authenticator: Authenticator) {
    super({ passReqToCallback: true })
  }

  validate({ askedFor }: CredentialRequest, email: string, secret: string): Promise<Caller> {
    return this.authenticator.introspect(
      { kind: 'user', email: decodeURIComponent(email), secret: decodeURIComponent(secret) },
      askedFor,
    )
  }
}
