import type { AskedFor } from '@bearing/client-nats/credential-cache'
import type { FastifyRequest } from 'fastify'
import { randomFromPool } from './random-pool.js'

/** Version 00 of W3C Trace Context: version, trace, parent and flags. A trace or parent of zeros is invalid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** A trace and a parent, in bytes. */
const NEW_TRACE_BYTES = 24

/** Returns the trace context of a request: the client's, or a new one, so that every request can be traced. */
export function traceOf(header: string | string[] | undefined): string {
  if (typeof header === 'string' && TRACEPARENT.test(header)) return header
  const random = randomFromPool(NEW_TRACE_BYTES).toString('hex')
  return `00-${random.slice(0, 32)}-${random.slice(32)}-00`
}

/** Returns the metadata of a request that the gateway sends with every call to a service. */
export function originOf({ id, ip, traceparent }: FastifyRequest): AskedFor {
  return { requestId: id, clientAddress: ip, traceparent }
}
