import { refusal, type Refusal } from '@bearing/access/authorize'
import { OperationError } from '@bearing/contracts/errors'
import { RefusalRule } from '@bearing/contracts/identity/audit/audit-log'
import { needsClaims, type Access } from '@bearing/contracts/operation'
import { isOfDevice, isOrganizationToken } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { AccessRefusals } from '../authenticate/access-refusals.js'
import { originOf } from '../ground/origin.js'
import type { Caller, RouteConfig } from '../ground/route-config.js'
import { ScopeResolver, type Scope } from './scope-resolver.js'

/** A request whose caller has the permission of its route. */
export interface Authorized {
  readonly permission: Access
  /** Undefined on public routes. */
  readonly caller: Caller | undefined
  /** Signed claims about the caller, for the service that answers the route. Undefined: it needs none. */
  readonly claims: string | undefined
  /** The organization and project of the path, or the project of the project key. */
  readonly scope: Scope | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the caller has the permission of the route. */
    authorized?: Authorized
  }
}

/**
 * Resolves the slugs of a request and authorizes its caller, before any of the body is read. Runs once per request, after
 * admission; the result is `request.authorized`.
 */
@Injectable()
export class Authorization {
  constructor(
    private readonly scopes: ScopeResolver,
    private readonly refusals: AccessRefusals,
  ) {}

  /** @throws OperationError if the caller may not call the operation of the route, or if that cannot be decided (503) */
  async authorize(request: FastifyRequest, route: RouteConfig): Promise<Authorized> {
    const { permission } = route.operation
    const caller = needsClaims(permission) ? callerOf(request) : undefined
    const check = (scope: Scope | undefined): Checked => ({
      scope,
      refused:
        caller && needsClaims(permission) ? refusal(caller.principal, permission, scope ?? {}) : undefined,
    })
    const { scope, refused } = route.hasOrganization
      ? (this.checkCached(request, route, check) ??
        check(await this.scopes.resolve(slugsOf(request, route), originOf(request))))
      : check(route.legacyTokens ? await this.legacyScope(request, caller) : scopeWithoutSlugs(route, caller))
    if (scope?.organization_id && route.hasOrganization) request.organizationId = scope.organization_id
    if (refused) {
      this.noteRefused(request, permission, refused.code, scope)
      throw new OperationError(refused.code, refused.message)
    }
    const claims = caller && claimsOf(request, route, scope)
    const authorized = {
      permission,
      caller,
      claims: claims instanceof Promise ? await claims : claims,
      scope,
    }
    request.authorized = authorized
    return authorized
  }

  /**
   * Uses cached ids only if the caller may know them. For everything else the gateway asks again, so the number of
   * calls, and the time they take, do not reveal whether a slug of another organization exists.
   */
  private checkCached(
    request: FastifyRequest,
    route: RouteConfig,
    check: (scope: Scope) => Checked,
  ): Checked | undefined {
    const cached = request.caller && this.scopes.cached(slugsOf(request, route))
    const checked = cached && check(cached)
    return checked && hidesExistence(checked.refused) ? undefined : checked
  }

  /**
   * Returns the scope of a location request without slugs: the project of the key, the one project that the token is bound to,
   * or for a legacy token that is not bound the one project of its organization.
   */
  private async legacyScope(request: FastifyRequest, caller: Caller | undefined): Promise<Scope> {
    const principal = caller?.principal
    if (isOfDevice(principal)) return principal
    if (isOrganizationToken(principal)) {
      const { organization_id, project_binding, legacy } = principal
      const [bound = null, ...others] = project_binding?.project_ids ?? []
      const project_id =
        legacy && bound === null ? await this.scopes.onlyProject(organization_id, originOf(request)) : bound
      if (project_id !== null && others.length === 0) return { organization_id, project_id }
    }
    throw new OperationError(
      'project_key_required',
      'This URL names no project. Send a project key, a token that is bound to one project (legacy tokens: import them with a project), or a legacy token of an organization with one project; or use /v1/organizations/{organization}/projects/{project}/location/….',
    )
  }

  /** Notes for the audit log that the gateway or a service refuses a request. */
  noteRefused(request: FastifyRequest, permission: Access, code: string, scope: Scope | undefined): void {
    const { principal } = callerOf(request)
    if (!scope?.organization_id) return
    const rule = RefusalRule.safeParse(code)
    if (rule.success) this.refusals.note(rule.data, scope.organization_id, principal, request)
    // A slug without a project is no refusal.
    else if (code === 'permission_denied' || (code === 'project_not_found' && scope.project_id))
      this.refusals.noteAdministration(permission, scope.organization_id, principal, request)
  }
}

interface Checked {
  readonly scope: Scope | undefined
  readonly refused: Refusal | undefined
}

/**
 * Returns how a request was authorized.
 *
 * @throws Error if it was not authorized for this permission: no handler answers such a request
 */
export function authorizedOf({ authorized }: FastifyRequest, permission: Access): Authorized {
  if (authorized?.permission === permission) return authorized
  // A device's coredump also uses the public operation that receives an upload.
  if (permission === 'public') return { permission, caller: undefined, claims: undefined, scope: undefined }
  throw new Error(`the request was not authorized for ${permission}`)
}

function slugsOf(request: FastifyRequest, { hasProject }: RouteConfig) {
  const { organization = '', project } = request.params as Record<string, string> // Fastify's own parser
  return { organization, project: hasProject ? project : undefined }
}

function hidesExistence(refused: Refusal | undefined): boolean {
  return refused?.code === 'organization_not_found' || refused?.code === 'project_not_found'
}

/** The claims of a user name at most the organization of the path; other principals belong to one. */
function claimsOf(
  request: FastifyRequest,
  { audience, hasOrganization }: RouteConfig,
  scope: Scope | undefined,
): string | Promise<string> | undefined {
  if (audience === undefined) return undefined
  if (!request.claimsFor) throw new Error('the request was not authenticated')
  const isUser = request.caller?.principal.kind === 'user'
  const organization_id = isUser && hasOrganization ? (scope?.organization_id ?? undefined) : undefined
  return request.claimsFor({ audience, organization_id })
}

/** Device routes without slugs are about the project of the project key. */
function scopeWithoutSlugs(route: RouteConfig, caller: Caller | undefined): Scope | undefined {
  if (!route.device) return undefined
  const principal = caller?.principal
  if (isOfDevice(principal)) {
    const { organization_id, project_id } = principal
    return { organization_id, project_id }
  }
  if (route.dialect === 'geolocation') return undefined
  throw new OperationError(
    'project_key_required',
    'This route is for devices. Send a project key: it names the project.',
  )
}

function callerOf(request: FastifyRequest): Caller {
  // Deny by default: a route without authentication, a mistake, refuses every request.
  if (!request.caller) throw new Error('the request was not authenticated')
  return request.caller
}
