import { refusal, type Refusal } from '@bearing/access/authorize'
import { OperationError } from '@bearing/contracts/errors'
import { RefusalRule } from '@bearing/contracts/identity/audit-log'
import { needsClaims, type Access } from '@bearing/contracts/operation'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { Injectable } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { AddressBook, type Address } from './scope-resolver.js'
import { AccessRefusals } from '../authenticate/access-refusals.js'
import type { Caller } from '../ground/route-config.js'
import { originOf } from '../ground/origin.js'
import type { RouteConfig } from '../ground/route-config.js'

/** A request whose caller has the permission of its route. */
export interface Authorized {
  readonly permission: Access
  /** Undefined on public routes. */
  readonly caller: Caller | undefined
  /** Signed claims about the caller, for the service that answers the route. Undefined: it needs none. */
  readonly claims: string | undefined
  /** The organization and project of the path, or the project of the project key. */
  readonly address: Address | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the caller has the permission of the route. */
    authorized?: Authorized
  }
}

/** What authorization has to know about a route. */
interface Rule {
  readonly route: Route
  readonly hasOrganization: boolean
  readonly hasProject: boolean
}

/**
 * Resolves the slugs of a request and authorizes its caller, before any of the body is read. Runs once per request, after
 * admission; the result is `request.authorized`.
 */
@Injectable()
export class Authorization {
  private readonly rules = new Map(
    Object.entries(ROUTES as Record<string, Route>).map(([name, route]) => [name, ruleOf(route)]),
  )

  /** @throws Error if a route has no permission: anyone could call it, so the gateway does not start */
  constructor(
    private readonly addresses: AddressBook,
    private readonly refusals: AccessRefusals,
  ) {}

  /** @throws OperationError if the caller may not call the operation of the route, or if that cannot be decided (503) */
  async authorize(request: FastifyRequest): Promise<void> {
    const { name } = request.routeOptions.config as unknown as RouteConfig // set for every route of the table
    const rule = this.rules.get(name)
    if (!rule) throw new Error(`the route ${name} is not in the table`)
    const { permission } = rule.route.operation
    const caller = needsClaims(permission) ? callerOf(request) : undefined
    const refuses = (address: Address | undefined) =>
      caller && needsClaims(permission) ? refusal(caller.principal, permission, address ?? {}) : undefined
    const { address, refused } = rule.hasOrganization
      ? await this.resolve(request, rule, refuses)
      : checked(addressWithoutSlugs(rule.route, caller), refuses)
    if (address?.organization_id && rule.hasOrganization) request.organizationId = address.organization_id
    if (refused) throw this.denied(request, refused, address)
    const claims = caller && (await claimsOf(request, rule, address))
    request.authorized = { permission, caller, claims, address }
  }

  /**
   * Uses cached ids only if the caller may know them. For everything else the gateway asks again, so a caller cannot tell
   * from the number of calls, or from the time they take, whether a slug of another organization exists.
   */
  private async resolve(
    request: FastifyRequest,
    { hasProject }: Rule,
    refuses: (address: Address | undefined) => Refusal | undefined,
  ): Promise<Checked> {
    const { organization = '', project } = request.params as Record<string, string> // Fastify's own parser
    const slugs = { organization, project: hasProject ? project : undefined }
    const cached = this.addresses.cached(slugs)
    const known = cached && checked(cached, refuses)
    if (known && request.caller && !hidesExistence(known.refused)) return known
    return checked(await this.addresses.resolve(slugs, originOf(request)), refuses)
  }

  private denied(request: FastifyRequest, refused: Refusal, address: Address | undefined): OperationError {
    const rule = RefusalRule.safeParse(refused.code)
    if (rule.success && address?.organization_id)
      this.refusals.note(rule.data, address.organization_id, callerOf(request).principal, request)
    return new OperationError(refused.code, refused.message)
  }
}

interface Checked {
  readonly address: Address | undefined
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
  if (permission === 'public') return { permission, caller: undefined, claims: undefined, address: undefined }
  throw new Error(`the request was not authorized for ${permission}`)
}

function ruleOf(route: Route): Rule {
  if (route.operation.permission === 'internal')
    throw new Error(`the route ${route.method} ${route.path} has no permission`)
  return {
    route,
    hasOrganization: route.path.includes('/:organization'),
    hasProject: route.path.includes('/:project'),
  }
}

function checked(
  address: Address | undefined,
  refuses: (address: Address | undefined) => Refusal | undefined,
): Checked {
  return { address, refused: refuses(address) }
}

function hidesExistence(refused: Refusal | undefined): boolean {
  return refused?.code === 'organization_not_found' || refused?.code === 'project_not_found'
}

/** The claims of a user name at most the organization of the path; everybody else belongs to one. */
function claimsOf(request: FastifyRequest, { hasOrganization }: Rule, address: Address | undefined) {
  const { audience } = request.routeOptions.config as unknown as RouteConfig // as above
  if (audience === undefined) return undefined
  if (!request.claimsFor) throw new Error('the request was not authenticated')
  const isUser = request.caller?.principal.kind === 'user'
  const organization_id = isUser && hasOrganization ? (address?.organization_id ?? undefined) : undefined
  return request.claimsFor({ audience, organization_id })
}

/** Device routes without slugs are about the project of the project key. */
function addressWithoutSlugs(route: Route, caller: Caller | undefined): Address | undefined {
  if (!route.device) return undefined
  if (caller?.principal.kind === 'project_key') {
    const { organization_id, project_id } = caller.principal
    return { organization_id, project_id }
  }
  if (route.dialect === 'geolocation') return undefined
  throw new OperationError(
    'project_key_required',
    'This route is for devices. Send a project key: it names the project.',
  )
}

function callerOf(request: FastifyRequest): Caller {
  // Deny by default: if a route lost its authentication by mistake, it answers nobody.
  if (!request.caller) throw new Error('the request was not authenticated')
  return request.caller
}
