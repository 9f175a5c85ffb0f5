import type { AskedFor } from '@bearing/client-nats/credential-cache'
import type { FastifyRequest } from 'fastify'
import { drawRandom } from './random-pool.js'

/** Version 00 of W3C Trace Context: version, trace, parent and flags; a trace or parent of zeros is none. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** A trace and a parent, in bytes. */
const NEW_TRACE_BYTES = 24
/** The trace that a request belongs to: the client's, or a new one, so that every request can be followed. */
export function traceOf(header: string | string[] | undefined): string {
  if (typeof header === 'string' && TRACEPARENT.test(header)) return header
  const random = drawRandom(NEW_TRACE_BYTES).toString('hex')
  return `00-${random.slice(0, 32)}-${random.slice(32)}-00`
}

/** What the services are told of the request that they are asked for. */
export function originOf({ id, ip, traceparent }: FastifyRequest): AskedFor {
  return { requestId: id, clientAddress: ip, traceparent }
}
