import { isAllowedFrom } from '@bearing/access/allowed-from'
import { tokenKind } from '@bearing/access/token-format'
import type { ClaimsScope } from '@bearing/client-nats/credential-cache'
import { OperationError } from '@bearing/contracts/errors'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { ORGANIZATION_TOKEN, isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import { Inject, Injectable } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestQuotas, type AnonymousKind } from '../ground/limits/request-quotas.js'
import { originOf } from '../ground/origin.js'
import type { Caller, RouteConfig } from '../ground/route-config.js'
import { AccessRefusals } from './access-refusals.js'
import { authenticate } from './authenticate.js'
import { Authenticator } from './authenticator.js'
import { SameOriginCheck } from './browser/same-origin.js'
import type { ClientCertificate } from './certificate/certificate-headers.js'
import { ClientCertificates } from './certificate/client-certificates.js'
import { hasCredentialInQuery } from './credential/credential-in-query.js'
import { keyInQuery, parseCredential, type Presented } from './credential/parse-credential.js'
import { addDeprecationHeaders } from './deprecation-headers.js'
import { refusedDevice, refusedDeviceToken, unknownKeyHeader } from './refused-credential.js'
import { DeviceKeyUses } from './device-key-uses.js'
import { KeyUses } from './key-uses.js'
import { TokenUses } from './token-uses.js'

/** Routes whose anonymous requests have a limit of their own. */
const ANONYMOUS_KINDS: ReadonlyMap<RouteConfig['name'], AnonymousKind> = new Map([
  ['startSession', 'sign-in'],
  ['challengePasskey', 'sign-in'],
  ['listSignInOptions', 'sign-in'],
  ['findSignOn', 'sign-in'],
  ['beginSignOn', 'sign-in'],
  ['completeSignOn', 'sign-in'],
  ['requestPasswordReset', 'password-reset'],
  ['resetPassword', 'password-reset'],
  ['confirmEmailChange', 'password-reset'],
])

/** Kinds of credentials that devices send. */
const DEVICE_KINDS: ReadonlySet<string> = new Set(['project_key', 'device_token', 'device_certificate'])

/** Injection token: names of the project-key headers in lower case. */
export const PROJECT_KEY_HEADERS = Symbol('project-key headers')

/**
 * Admits requests with exactly one valid credential, before any of the body is read: an anonymous caller cannot make the
 * gateway hold a body. The grammar finds the credential, and its kind names the Passport strategy
 * (docs/decisions/0057-run-passport-on-every-credential-that-is-not-cached.md).
 */
@Injectable()
export class Admission {
  constructor(
    @Inject(PROJECT_KEY_HEADERS) private readonly projectKeyHeaders: ReadonlySet<string>,
    private readonly authenticator: Authenticator,
    private readonly uses: TokenUses,
    private readonly keyUses: KeyUses,
    private readonly deviceKeyUses: DeviceKeyUses,
    private readonly quotas: RequestQuotas,
    private readonly sameOrigin: SameOriginCheck,
    private readonly refusals: AccessRefusals,
    private readonly certificates: ClientCertificates,
  ) {}

  /**
   * Identifies the caller, except on open routes, and counts the request.
   *
   * @throws OperationError if there is not exactly one credential, it is invalid or not allowed from here, it is used too
   *   often, or that cannot be decided (503)
   */
  async admit(request: FastifyRequest, reply: FastifyReply, route: RouteConfig): Promise<void> {
    refuseCredentialInQuery(request)
    if (route.signedAddress) return
    if (route.open) return this.countAnonymous(request, reply, route)
    const { principal } = await this.identify(request, route)
    addDeprecationHeaders(reply, principal)
    await this.quotas.countCredential(principal, request.ip, reply)
    if (isOrganizationToken(principal))
      this.uses.note(principal.credential_id, request.ip, request.headers['user-agent'])
    else if (principal.kind === 'project_key') this.keyUses.note(principal.credential_id)
    else if (principal.kind === 'device') this.deviceKeyUses.note(principal.credential_id)
  }

  private countAnonymous(
    { ip }: FastifyRequest,
    reply: FastifyReply,
    { name }: RouteConfig,
  ): Promise<void> | undefined {
    // Its route counts it for the login.
    if (name === 'exchangeLogin') return this.quotas.countPoll(ip, reply)
    if (name === 'exchangeToken') return this.quotas.countExchange(ip, reply)
    return this.quotas.countAnonymous(ip, reply, ANONYMOUS_KINDS.get(name))
  }

  /**
   * Sets the caller of a request, or replaces it: a long reply can outlast the credential.
   *
   * @throws as {@link admit}
   */
  async identify(request: FastifyRequest, route: RouteConfig): Promise<Caller> {
    const found = this.presentedBy(request, route)
    this.refuseUnknownKeyHeader(request, route, found)
    const presented = credentialOf(found, route.device)
    // Both before identity is asked: another site must not learn whether a session exists.
    if (presented.kind === 'session' && isInCookie(found))
      this.sameOrigin.requireCsrfToken(request, presented.token)
    // A browser adds stored Basic credentials to forms of other sites too. Programs send no Fetch Metadata.
    else if (presented.kind !== 'project_key') this.sameOrigin.requireOwnOriginForChanges(request)
    const credential = route.legacyTokens ? asLegacyToken(presented) : presented
    const caller = await this.authenticate(credential, request, route)
    request.caller = caller
    request.claimsFor = (scope) => this.claimsFor(credential, caller, scope, request, route)
    this.refuseAddress(caller.principal, request)
    return caller
  }

  private async authenticate(
    credential: PresentedCredential,
    request: FastifyRequest,
    route: RouteConfig,
  ): Promise<Caller> {
    const askedFor = { ...originOf(request), audience: earlyAudience(credential, route) }
    try {
      return await authenticate(this.authenticator, credential, askedFor)
    } catch (error) {
      throw refusedTo(credential, route, error)
    }
  }

  /** Returns claims for the service that answers the request; without a promise if they are cached. */
  private claimsFor(
    credential: PresentedCredential,
    caller: Caller,
    scope: ClaimsScope,
    request: FastifyRequest,
    route: RouteConfig,
  ): string | Promise<string> {
    const claims = this.authenticator.claimsOf(credential, caller, scope, originOf(request))
    if (typeof claims === 'string') return claims
    return claims.catch((error: unknown) => {
      throw refusedTo(credential, route, error)
    })
  }

  private presentedBy(request: FastifyRequest, { device, dialect }: RouteConfig): Presented {
    const inQuery = dialect === 'geolocation' ? keyInQuery(queryOf(request)) : undefined
    const found = inQuery ?? parseCredential(request.raw.rawHeaders, this.projectKeyHeaders, device)
    const certificate = device ? this.certificates.of(request.raw) : undefined
    return certificate ? withCertificate(found, certificate) : found
  }

  /**
   * A device whose key is in a header with a name that is not configured gets 403, not 401: devices erase their key on 401. An
   * `Authorization` beside it is one that HTTP clients add, unless the route accepts tokens.
   */
  private refuseUnknownKeyHeader(request: FastifyRequest, route: RouteConfig, found: Presented): void {
    if (!route.device || (found.outcome !== 'none' && route.permitsTokens)) return
    if (found.outcome === 'one' && DEVICE_KINDS.has(found.credential.kind)) return
    // The name is right, and the key is empty or too long.
    if (found.outcome === 'malformed' && DEVICE_KINDS.has(found.of)) return
    if (Object.keys(request.headers).some((name) => name.endsWith('-project-key')))
      throw unknownKeyHeader([...this.projectKeyHeaders])
  }

  /** Checked on every request, because a cached credential may come from another address. */
  private refuseAddress(principal: Principal, request: FastifyRequest): void {
    if (!isOrganizationToken(principal) || isAllowedFrom(principal, request.ip)) return
    this.refusals.note('address_not_allowed', principal.organization_id, principal, request)
    throw new OperationError(
      'address_not_allowed',
      `The organization auth token may not be used from ${request.ip}: it is bound to other addresses.`,
    )
  }
}

/** A token counts more than the certificate of the connection: the program that sends the request chose it. */
function withCertificate(found: Presented, certificate: ClientCertificate): Presented {
  const kind = 'device_certificate'
  if (found.outcome === 'none') return { outcome: 'one', credential: { kind, ...certificate } }
  if (found.outcome !== 'one' || found.credential.kind !== 'project_key') return found
  return { outcome: 'one', credential: { kind, ...certificate, project_key: found.credential.key } }
}

function isInCookie(found: Presented): boolean {
  return found.outcome === 'one' && found.inCookie === true
}

function queryOf(request: FastifyRequest): Record<string, unknown> {
  return request.query as Record<string, unknown> // Fastify's parser makes a flat object of strings and arrays
}

function refuseCredentialInQuery(request: FastifyRequest): void {
  if (hasCredentialInQuery(queryOf(request)))
    throw new OperationError(
      'credential_in_query',
      'A credential must not be part of the URL, because URLs are logged. Treat it as leaked, replace it, and send the new one in a header.',
    )
}

function credentialOf(presented: Presented, device: boolean): PresentedCredential {
  switch (presented.outcome) {
    case 'one':
      return presented.credential
    case 'none':
      throw new OperationError(
        'credential_missing',
        'Send an organization auth token (Authorization: Bearer), an email address with a user API key (Basic), or a project key.',
      )
    case 'several':
      throw new OperationError(
        'multiple_credentials',
        'The request contains more than one credential. Send exactly one.',
      )
    case 'malformed':
      if (presented.of === 'project_key' && device) throw refusedDevice(presented.detail)
      if (presented.of === 'device_token' && device) throw refusedDeviceToken(presented.detail)
      throw new OperationError('credential_malformed', presented.detail)
  }
}

/**
 * Returns the service whose claims are fetched together with the caller. A user's request about an organization needs claims
 * that name it, and its slug is not resolved yet.
 */
function earlyAudience({ kind }: PresentedCredential, { audience, hasOrganization }: RouteConfig) {
  const isUser = kind === 'user' || kind === 'session'
  return isUser && hasOrganization ? undefined : audience
}

/** Devices erase their credentials on 401: what only a device sends is refused with 403 on its routes. */
function refusedTo(credential: PresentedCredential, { device }: RouteConfig, error: unknown): unknown {
  if (!device || !isRefusal(error)) return error
  return credential.kind === 'project_key' ? refusedDevice() : error
}

function isRefusal(error: unknown): boolean {
  return error instanceof OperationError && error.status === 401
}

/**
 * Returns a bearer token as legacy location token if it has no prefix of Bearing. Only for routes that accept legacy tokens;
 * elsewhere such a token is a malformed organization token. A token of a device may be a legacy token alone.
 */
function asLegacyToken(credential: PresentedCredential): PresentedCredential {
  if (credential.kind === 'device_token') return { ...credential, or_legacy: true }
  return credential.kind === ORGANIZATION_TOKEN && tokenKind(credential.token) === undefined
    ? { kind: 'legacy_token', token: credential.token }
    : credential
}
