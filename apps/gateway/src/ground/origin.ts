import type { AskedFor } from '@bearing/client-nats/credential-cache'
import type { FastifyRequest } from 'fastify'
import { randomFromPool } from './random-pool.js'

/** Version 00 of W3C Trace Context: version, trace, parent and flags. A trace or parent of zeros is invalid. */
const TRACEPARENT = /^(00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-)[0-9a-f]{2}$/

/** A trace and a parent, in bytes. */
const NEW_TRACE_BYTES = 24

/** Returns the trace context that a client sent, if it sent one. Its flags are dropped: clients do not decide what is recorded. */
export function clientTraceOf(header: string | string[] | undefined): string | undefined {
  const context = typeof header === 'string' ? TRACEPARENT.exec(header)?.[1] : undefined
  return context === undefined ? undefined : `${context}00`
}

/** Returns the trace context of a request that is not recorded: the client's, or a new one, so that logs have a trace id. */
export function unrecordedTraceOf(clientTrace: string | undefined): string {
  if (clientTrace !== undefined) return clientTrace
  const random = randomFromPool(NEW_TRACE_BYTES).toString('hex')
  return `00-${random.slice(0, 32)}-${random.slice(32)}-00`
}

/** Returns the metadata of a request that the gateway sends with every call to a service. */
export function originOf({ id, ip, traceparent }: FastifyRequest): AskedFor {
  return { requestId: id, clientAddress: ip, traceparent }
}
