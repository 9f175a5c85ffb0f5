/**
 * Headers of a NATS request. Only `Bearing-Identity` is needed, and only where an operation asks for a permission; and
 * `Bearing-Input`, where an operation takes bytes.
 */
export const HEADERS = {
  /** Signed claims about the principal: a JWT (see `@bearing/service/claims`). */
  identity: 'Bearing-Identity',
  /** What an operation takes beside the bytes that are the body: JSON. */
  input: 'Bearing-Input',
  /** Milliseconds that the caller will still wait. Relative, so that clocks need not agree. */
  timeout: 'Bearing-Timeout-Ms',
  /** The id of the HTTP request, or of the job, that this call belongs to. */
  requestId: 'Bearing-Request-Id',
  /** The address of the client of the HTTP request, for the audit log. */
  clientAddress: 'Bearing-Client-Address',
  /** Trace context (W3C Trace Context). */
  traceparent: 'traceparent',
} as const

/** Headers of an error reply (NATS services convention, ADR-32). The body is an {@link import('./failure.js')} object. */
export const ERROR_HEADERS = { message: 'Nats-Service-Error', code: 'Nats-Service-Error-Code' } as const
