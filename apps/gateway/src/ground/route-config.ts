import type { ClaimsScope } from '@bearing/client-nats/credential-cache'
import type { Introspected } from '@bearing/contracts/identity/credentials/credential'
import { audienceOf, needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import type { Span } from '@bearing/nats/tracing'

/** The holder of a valid credential, as identity describes it. */
export type Caller = Extract<Introspected, { active: true }>

/** A route of the table, and what follows from it. */
export interface RouteConfig extends Route {
  /** `passThrough`: every device route that Bearing does not have. */
  readonly name: RouteName | 'passThrough'
  /** True if anonymous callers may use the route. A credential that they send is ignored. */
  readonly open: boolean
  /** The service that receives claims. Undefined: none does. */
  readonly audience: string | undefined
  /** True if the path names an organization. */
  readonly hasOrganization: boolean
  readonly hasProject: boolean
  /** True if organization tokens and users may use the route. */
  readonly permitsTokens: boolean
}

/**
 * Returns the configuration of the Fastify route for a route of the table.
 *
 * @throws Error if the route has no permission: anyone could call it, so the gateway does not start
 */
export function configOf(name: RouteName): { readonly route: RouteConfig } {
  const route: Route = ROUTES[name]
  const { operation, path } = route
  if (operation.permission === 'internal')
    throw new Error(`the route ${route.method} ${path} has no permission`)
  const open = !needsClaims(operation.permission)
  return {
    route: {
      ...route,
      name,
      open,
      // The gateway itself stores the request of a stored operation.
      audience: open || operation.stored ? undefined : audienceOf(operation),
      hasOrganization: path.includes('/:organization'),
      hasProject: path.includes('/:project'),
      permitsTokens: path.includes('/:organization') || route.legacyTokens,
    },
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for routes of the table. */
    route?: RouteConfig
  }
  interface FastifyRequest {
    /** The route of the table that the request matched: Fastify's `routeOptions` makes a new object on every read. */
    route?: RouteConfig
    /** The authenticated caller; set by `Admission`. */
    caller?: Caller
    /** Returns signed claims about the caller; set by `Admission` with the caller. */
    claimsFor?: (scope: ClaimsScope) => string | Promise<string>
    /** W3C trace context of the request (see `RequestTraces`). */
    traceparent: string
    /** The client's own trace context, if the request is recorded under another one. */
    clientTrace?: string
    /** Set if the request is recorded. */
    span?: Span
    /** The organization of the request, for the log; set when its slug was resolved. */
    organizationId?: string
  }
}
