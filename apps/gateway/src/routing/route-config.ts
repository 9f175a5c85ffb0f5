import type { Caller } from '../authentication/authenticator.js'

/** What a Fastify route of ours is configured with. */
export interface RouteConfig {
  /** Name of the route in the table. */
  readonly name: string
  readonly device: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; set by `Admission`. */
    caller?: Caller
    /** Organization the request is about, for the log; set when the address was resolved. */
    organizationId?: string
  }
}
