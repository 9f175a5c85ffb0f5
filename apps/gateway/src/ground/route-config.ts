import type { ClaimsScope } from '@bearing/client-nats/credential-cache'
import type { Route } from '@bearing/contracts/routes'
import type { Introspected } from '@bearing/contracts/identity/credential'

/** The holder of a valid credential, as identity describes it. */
export type Caller = Extract<Introspected, { active: true }>

/** What a Fastify route of ours is configured with. */
export interface RouteConfig {
  /** Name of the route in the table. */
  readonly name: string
  readonly device: boolean
  /** Whether legacy location tokens are accepted. */
  readonly legacyTokens: boolean
  /** How callers send their key, and what errors look like (see the route table). */
  readonly dialect: Route['dialect']
  /** Whether it answers callers who have no credential; one that they send is not looked at. */
  readonly open: boolean
  /** Whether its address proves that the caller may, so that they are no stranger. */
  readonly signedAddress: boolean
  /** The service that claims are sent to. Undefined: none are. */
  readonly audience: string | undefined
  /** Whether its path names an organization. */
  readonly hasOrganization: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; set by `Admission`. */
    caller?: Caller
    /** Returns signed claims about the caller; set by `Admission` with the caller. */
    claimsFor?: (scope: ClaimsScope) => string | Promise<string>
    /** W3C trace context of the request (see `traceOf`). */
    traceparent: string
    /** Organization the request is about, for the log; set when the address was resolved. */
    organizationId?: string
  }
}
