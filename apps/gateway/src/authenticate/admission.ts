import { isAllowedFrom } from '@bearing/access/allowed-from'
import { OperationError } from '@bearing/contracts/errors'
import type { ClaimsScope } from '@bearing/client-nats/credential-cache'
import type { PresentedCredential } from '@bearing/contracts/identity/credential'
import { isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import { Inject, Injectable } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasCredentialInQuery } from './credential/credential-in-query.js'
import { asLegacyToken } from './credential/as-legacy-token.js'
import { keyInQuery } from './credential/key-in-query.js'
import { parseCredential, type Presented } from './credential/parse-credential.js'
import { announce } from '../ground/limits/add-limit-headers.js'
import { RequestQuota } from '../ground/limits/request-quota.js'
import { StrangerQuota } from '../ground/limits/anonymous-quota.js'
import { originOf } from '../ground/origin.js'
import { OwnPages } from './browser/same-origin.js'
import type { Caller, RouteConfig } from '../ground/route-config.js'
import { AccessRefusals } from './access-refusals.js'
import { authenticate } from './authenticate.js'
import { Authenticator } from './authenticator.js'
import { refusedDevice } from './refused-credential.js'
import { TokenUses } from './token-uses.js'

/** Injection token: names of the project-key headers in lower case. */
export const PROJECT_KEY_HEADERS = Symbol('project-key headers')

/**
 * Admits requests with exactly one valid credential, before any of the body is read: an anonymous caller cannot make the
 * gateway hold a body. The grammar finds the credential, and its kind names the Passport strategy
 * (docs/decisions/0057-passport-after-the-cache.md).
 */
@Injectable()
export class Admission {
  constructor(
    @Inject(PROJECT_KEY_HEADERS) private readonly projectKeyHeaders: ReadonlySet<string>,
    private readonly authenticator: Authenticator,
    private readonly uses: TokenUses,
    private readonly quota: RequestQuota,
    private readonly strangers: StrangerQuota,
    private readonly pages: OwnPages,
    private readonly refusals: AccessRefusals,
  ) {}

  /**
   * Sets who is asking, except on open routes, and counts the request.
   *
   * @throws OperationError where there is not exactly one credential, it is not valid or not from here, it is used too often,
   *   or that cannot be told
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    refuseCredentialInQuery(request)
    const { open, signedAddress } = configOf(request)
    if (signedAddress) return
    if (open) {
      announce(reply, await this.strangers.take(request.ip))
      return
    }
    const { principal } = await this.identify(request)
    announce(reply, await this.quota.take(principal, request.ip))
    if (isOrganizationToken(principal))
      this.uses.note(principal.credential_id, request.ip, request.headers['user-agent'])
  }

  /**
   * Sets who is asking, anew where it was set before: a reply that takes long may outlast the credential.
   *
   * @throws as {@link admit}
   */
  async identify(request: FastifyRequest): Promise<Caller> {
    const { device, legacyTokens } = configOf(request)
    const presented = this.presentedBy(request)
    const credential = credentialOf(presented, device)
    // Before anybody is asked who it is: a session is never an answer to another site.
    if (credential.kind === 'session') this.pages.refuseForged(request, credential.token)
    // Nor is what a browser remembers of Basic, and adds to forms of other sites too. Programs say nothing of a site.
    else if (credential.kind !== 'project_key') this.pages.refuseOthersChanges(request)
    const asked = legacyTokens ? asLegacyToken(credential) : credential
    const caller = await this.authenticate(asked, request)
    request.caller = caller
    request.claimsFor = (scope) => this.claimsFor(asked, caller, scope, request)
    this.refuseAddress(request.caller.principal, request)
    return request.caller
  }

  private async authenticate(credential: PresentedCredential, request: FastifyRequest): Promise<Caller> {
    const askedFor = { ...originOf(request), audience: earlyAudience(credential, configOf(request)) }
    try {
      return await authenticate(this.authenticator, credential, askedFor)
    } catch (error) {
      throw refusedTo(credential, request, error)
    }
  }

  /** Claims for the service that answers the request; without a promise if they are cached. */
  private claimsFor(
    credential: PresentedCredential,
    caller: Caller,
    scope: ClaimsScope,
    request: FastifyRequest,
  ): string | Promise<string> {
    const claims = this.authenticator.claimsOf(credential, caller, scope, originOf(request))
    if (typeof claims === 'string') return claims
    return claims.catch((error: unknown) => {
      throw refusedTo(credential, request, error)
    })
  }

  private presentedBy(request: FastifyRequest): Presented {
    const { device, dialect } = configOf(request)
    const inQuery = dialect === 'geolocation' ? keyInQuery(queryOf(request)) : undefined
    return inQuery ?? parseCredential(request.raw.rawHeaders, this.projectKeyHeaders, device)
  }

  /** Checked on every request, since a remembered credential may come from somewhere else. */
  private refuseAddress(principal: Principal, request: FastifyRequest): void {
    if (!isOrganizationToken(principal) || isAllowedFrom(principal, request.ip)) return
    this.refusals.note('address_not_allowed', principal.organization_id, principal, request)
    throw new OperationError(
      'address_not_allowed',
      `The organization auth token may not be used from ${request.ip}: it is bound to other addresses.`,
    )
  }
}

function configOf(request: FastifyRequest): RouteConfig {
  return request.routeOptions.config as unknown as RouteConfig // set for every route of the table
}

function queryOf(request: FastifyRequest): Record<string, unknown> {
  return request.query as Record<string, unknown> // Fastify's parser makes a flat object of strings and arrays
}

function refuseCredentialInQuery(request: FastifyRequest): void {
  if (hasCredentialInQuery(queryOf(request)))
    throw new OperationError(
      'credential_in_query',
      'A credential must not be part of the URL: it ends up in logs. Take it for exposed, replace it, and send the new one in a header.',
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
      if (presented.of === 'project_key' && device) throw refusedDevice()
      throw new OperationError('credential_malformed', presented.detail)
  }
}

/**
 * The service that claims are fetched for together with the caller. A request of a user about an organization needs claims
 * that name it, and its slug is not resolved yet.
 */
function earlyAudience({ kind }: PresentedCredential, { audience, hasOrganization }: RouteConfig) {
  const isUser = kind === 'user' || kind === 'session'
  return isUser && hasOrganization ? undefined : audience
}

function refusedTo({ kind }: PresentedCredential, request: FastifyRequest, error: unknown): unknown {
  return kind === 'project_key' && configOf(request).device && isRefusal(error) ? refusedDevice() : error
}

function isRefusal(error: unknown): boolean {
  return error instanceof OperationError && error.status === 401
}
