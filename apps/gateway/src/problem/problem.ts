import { ERRORS, type OperationError, type ErrorCode, type Mistake } from '@bearing/contracts/errors'
import { CHALLENGES } from './challenges.js'

/** Problem document (RFC 9457), with the member `error` that device tools of the field read. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly request_id: string
  readonly reason?: string
  readonly errors?: readonly Mistake[]
  readonly error: {
    readonly code: ErrorCode
    readonly http_code: number
    readonly message: string
    readonly type: string
  }
}

/** Where the page of an error code is, below the address of the documentation. */
const PAGES = '/docs/errors/'
const DEFAULT_RETRY_AFTER_S = 1

/**
 * The problem document of an error.
 *
 * @param baseUrl address in front of `/docs/errors/<code>`; empty makes `type` a path, which RFC 9457 allows
 */
export function problemOf(error: OperationError, requestId: string, baseUrl: string): Problem {
  const { status, title } = ERRORS[error.code]
  const type = `${baseUrl}${PAGES}${error.code}`
  const { errors, reason } = error.details
  return {
    type,
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(reason !== undefined && { reason }),
    ...(errors && { errors }),
    error: { code: error.code, http_code: status, message: error.message, type },
  }
}

/** Headers that belong to an error. */
export function problemHeaders(error: OperationError): Record<string, string | string[]> {
  if (error.status === 401) return { 'www-authenticate': [...CHALLENGES[challengeOf(error.code)]] }
  if (error.status === 503)
    return { 'retry-after': String(Math.ceil(error.details.retry_after ?? DEFAULT_RETRY_AFTER_S)) }
  return {}
}

function challengeOf(code: ErrorCode): keyof typeof CHALLENGES {
  return code === 'credential_missing' ? 'missing' : 'refused'
}
