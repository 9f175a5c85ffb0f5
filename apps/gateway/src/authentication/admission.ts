import { isInRanges } from '@bearing/access/address-ranges'
import { OperationError } from '@bearing/contracts/errors'
import type { PresentedCredential } from '@bearing/contracts/identity/credential'
import type { Principal } from '@bearing/contracts/principal'
import { Inject, Injectable } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import passport from 'passport'
import { hasCredentialInQuery } from '../credential/credential-in-query.js'
import { parseCredential, type Presented } from '../credential/parse-credential.js'
import type { RouteConfig } from '../routing/route-config.js'
import type { Attempt } from './attempt.js'
import type { Caller, RefusalReason } from './authenticator.js'
import { TokenUses } from './token-uses.js'

/** Injection token: names of the project-key headers in lower case. */
export const PROJECT_KEY_HEADERS = Symbol('project-key headers')

/**
 * Lets in who has exactly one valid credential, before anything of the body is read: strangers cannot make us hold it.
 *
 * Nest's own Passport guard is not used: it runs after the body was read, it drops the challenges, and with several
 * strategies in a row it lets a bad credential pass beside a good one. Here the grammar finds the one credential, and its
 * kind names the one strategy that is asked.
 */
@Injectable()
export class Admission {
  constructor(
    @Inject(PROJECT_KEY_HEADERS) private readonly projectKeyHeaders: ReadonlySet<string>,
    private readonly uses: TokenUses,
  ) {}

  /**
   * Sets who is asking.
   *
   * @throws OperationError where there is not exactly one credential, it is not valid or not from here, or that cannot be told
   */
  async admit(request: FastifyRequest): Promise<void> {
    const { device } = request.routeOptions.config as unknown as RouteConfig // set for every route of the table
    refuseCredentialInQuery(request)
    const presented = parseCredential(request.raw.rawHeaders, this.projectKeyHeaders, device)
    request.caller = await authenticate(credentialOf(presented, device), device)
    const { principal } = request.caller
    refuseAddress(principal, request.ip)
    if (principal.kind === 'organization_token')
      this.uses.note(principal.credential_id, request.ip, request.headers['user-agent'])
  }
}

function refuseCredentialInQuery(request: FastifyRequest): void {
  const query = request.query as Record<string, unknown> // Fastify's parser makes a flat object of strings and arrays
  if (hasCredentialInQuery(query))
    throw new OperationError(
      'credential_in_query',
      'A credential must not be part of the URL: it ends up in logs. Take it for exposed, replace it, and send the new one in a header.',
    )
}

/** Checked on every request, since a remembered credential may come from somewhere else. */
function refuseAddress(principal: Principal, address: string): void {
  if (principal.kind !== 'organization_token' || !principal.allowed_addresses) return
  if (!isInRanges(address, principal.allowed_addresses))
    throw new OperationError(
      'address_not_allowed',
      `The organization auth token may not be used from ${address}: it is bound to other addresses.`,
    )
}

function credentialOf(presented: Presented, device: boolean): PresentedCredential {
  switch (presented.outcome) {
    case 'one':
      return presented.credential
    case 'none':
      throw new OperationError(
        'credential_missing',
        'Send an organization auth token (Authorization: Bearer), an e-mail address with a user API key (Basic), or a project key.',
      )
    case 'several':
      throw new OperationError(
        'multiple_credentials',
        'More than one credential was sent. Send exactly one, so that it is clear who is asking.',
      )
    case 'malformed':
      if (presented.of === 'project_key' && device) throw refusedError('project_key', 'malformed', device)
      throw new OperationError('credential_malformed', presented.detail)
  }
}

function authenticate(credential: PresentedCredential, device: boolean): Promise<Caller> {
  const attempt: Attempt = { credential, headers: {} }
  return new Promise((resolve, reject) => {
    const done = (error: Error | null | undefined, caller?: Caller | false) => {
      if (error) reject(error)
      else if (caller) resolve(caller)
      else reject(refusedError(credential.kind, attempt.refused ?? 'unknown', device))
    }
    const run = passport.authenticate(credential.kind, { session: false }, done) as (
      request: Attempt,
      response: object,
      next: (error?: Error) => void,
    ) => void // Passport is typed for Express; it only hands these to the strategy
    run(attempt, {}, done)
  })
}

const NOUN = {
  organization_token: 'organization auth token',
  user: 'e-mail address with this API key or password',
  project_key: 'project key',
} as const satisfies Record<PresentedCredential['kind'], string>

/** What to do where one has expired. */
const INSTEAD = {
  organization_token: 'Create a new one.',
  user: 'Create a new one.',
  project_key: 'It was replaced, and its grace is over: use the current one.',
} as const satisfies Record<PresentedCredential['kind'], string>

function refusedError(
  kind: PresentedCredential['kind'],
  reason: RefusalReason,
  device: boolean,
): OperationError {
  // Devices throw their project key away on 401, and some try for ever: to them a wrong key is a refusal, not a question.
  if (kind === 'project_key' && device)
    return new OperationError('project_key_invalid', 'The project key is not valid. It may have been cycled.')
  switch (reason) {
    case 'malformed':
      return new OperationError(
        'credential_malformed',
        `This is not the form of an ${NOUN[kind]}: it is mistyped or cut off.`,
      )
    case 'expired':
      return new OperationError('credential_expired', `The ${NOUN[kind]} has expired. ${INSTEAD[kind]}`)
    case 'unknown':
      return new OperationError(
        'credential_invalid',
        `There is no such ${NOUN[kind]}. It may have been deleted or replaced.`,
      )
  }
}
