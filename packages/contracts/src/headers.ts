/**
 * Headers of a NATS request. `Bearing-Identity` is required if the operation needs a permission, and `Bearing-Input` if its input
 * has bytes. The others are optional.
 */
export const HEADERS = {
  /** Signed claims about the principal: a JWT (see `@bearing/service/claims`). */
  identity: 'Bearing-Identity',
  /** JSON of the input fields beside the bytes of the body. */
  input: 'Bearing-Input',
  /** Milliseconds that the caller still waits. Relative, because clocks differ. */
  timeout: 'Bearing-Timeout-Ms',
  /** The id of the HTTP request or job that causes the call. */
  requestId: 'Bearing-Request-Id',
  /** The IP address of the HTTP client, for the audit log. */
  clientAddress: 'Bearing-Client-Address',
  /** Trace context (W3C Trace Context). */
  traceparent: 'traceparent',
} as const

/** Headers of an error reply (NATS services convention, ADR-32). The body is an {@link import('./errors/failure.js')} object. */
export const ERROR_HEADERS = { message: 'Nats-Service-Error', code: 'Nats-Service-Error-Code' } as const
