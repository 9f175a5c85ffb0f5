import { randomFillSync } from 'node:crypto'
import type { AskedFor } from '@bearing/client-nats/credential-cache'
import type { FastifyRequest } from 'fastify'

/** Version 00 of W3C Trace Context: version, trace, parent and flags; a trace or parent of zeros is none. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** A trace and a parent, in bytes. */
const NEW_TRACE_BYTES = 24
/** Randomness is drawn for many traces at once: each draw costs as much as the rest of a request's way in. */
const drawn = Buffer.alloc(NEW_TRACE_BYTES * 256)
let used = drawn.length

/** The trace that a request belongs to: the client's, or a new one, so that every request can be followed. */
export function traceOf(header: string | string[] | undefined): string {
  if (typeof header === 'string' && TRACEPARENT.test(header)) return header
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  const random = drawn.toString('hex', used, (used += NEW_TRACE_BYTES))
  return `00-${random.slice(0, 32)}-${random.slice(32)}-00`
}

/** What the services are told of the request that they are asked for. */
export function originOf({ id, ip, traceparent }: FastifyRequest): AskedFor {
  return { requestId: id, clientAddress: ip, traceparent }
}
