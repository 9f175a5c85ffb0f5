import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import { SESSION_COOKIE, oneSession } from '../browser/session-cookie.js'
import type { Caller } from '../../ground/route-config.js'
import { Authenticator } from '../authenticator.js'
import type { CredentialRequest } from './credential-request.js'
import { HeaderStrategy } from './header-strategy.js'

/** Encodes the token of a session as the cookie that {@link SessionStrategy} reads. */
export function sessionHeader(token: string): CredentialRequest['headers'] {
  return { cookie: `${SESSION_COOKIE}=${token}` }
}

/** Authenticates browser sessions. Passport's own sessions keep state in the process; ours keep none. */
@Injectable()
export class SessionStrategy extends PassportStrategy(HeaderStrategy, 'session') {
  constructor(private readonly authenticator: Authenticator) {
    super((headers: CredentialRequest['headers']) => oneSession({ headers }))
  }

  validate({ askedFor }: CredentialRequest, token: string): Promise<Caller> {
    return this.authenticator.introspect({ kind: 'session', token }, askedFor)
  }
}
