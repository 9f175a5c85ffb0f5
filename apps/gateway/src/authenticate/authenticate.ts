import { CREDENTIAL_KINDS } from '@bearing/access/credential-kinds'
import type { AskedFor } from '@bearing/client-nats/credential-cache'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import passport from 'passport'
import type { Caller } from '../ground/route-config.js'
import type { Authenticator } from './authenticator.js'
import { basicHeader } from './strategies/basic-strategy.js'
import { bearerHeader } from './strategies/bearer-strategy.js'
import { certificateHeader } from './strategies/certificate-strategy.js'
import type { CredentialRequest } from './strategies/credential-request.js'
import { projectKeyHeader } from './strategies/project-key-strategy.js'
import { sessionHeader } from './strategies/session-strategy.js'

/**
 * Authenticates a credential: from the cache without any Passport code, otherwise with the Passport strategy of its kind.
 *
 * @param askedFor the request that presents the credential
 * @throws OperationError if the credential is wrong; `rate_limited` if too many wrong ones were sent; with status 503 if
 *   identity cannot say
 */
export async function authenticate(
  authenticator: Authenticator,
  credential: PresentedCredential,
  askedFor: AskedFor,
): Promise<Caller> {
  return authenticator.recall(credential, askedFor) ?? runStrategy(credential, askedFor)
}

/** Runs one strategy, and never a list: in a list a wrong credential can pass beside a right one. */
function runStrategy(credential: PresentedCredential, askedFor: AskedFor): Promise<Caller> {
  const { kind } = credential
  const { strategy } = CREDENTIAL_KINDS[kind]
  const request: CredentialRequest = {
    kind,
    headers: headersOf(credential),
    askedFor,
    ...besideToken(credential),
  }
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null, caller?: Caller | false | null) => {
      if (error) reject(error)
      else if (caller) resolve(caller)
      // `validate` throws if a credential is wrong. So this is a bug, and must not look like a wrong credential.
      else reject(new Error(`The Passport strategy ${strategy} found no credential in its header.`))
    }
    const run = passport.authenticate(strategy, { session: false }, done) as (
      request: CredentialRequest,
      response: object,
      next: (error?: Error) => void,
    ) => void // typed for Express; Passport only passes these on to the strategy
    run(request, {}, done)
  })
}

/** No package reads what comes with the token of a device. */
function besideToken(credential: PresentedCredential): Pick<CredentialRequest, 'deviceToken'> {
  if (credential.kind !== 'device_token') return {}
  const { token: _, ...deviceToken } = credential
  return { deviceToken }
}

function headersOf(credential: PresentedCredential): CredentialRequest['headers'] {
  switch (credential.kind) {
    case ORGANIZATION_TOKEN:
    case 'legacy_token':
    case 'device_token':
      return bearerHeader(credential.token)
    case 'user':
      return basicHeader(credential.email, credential.secret)
    case 'project_key':
      return projectKeyHeader(credential.key)
    case 'device_certificate':
      return certificateHeader(credential)
    case 'session':
      return sessionHeader(credential.token)
  }
}
