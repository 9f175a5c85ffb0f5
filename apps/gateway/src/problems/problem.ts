import { ERRORS, type OperationError, type ErrorCode, type Mistake } from '@bearing/contracts/errors'
import type { AccessPointCounts } from '@bearing/contracts/errors/error-details'
import type { QuotaUse } from '@bearing/contracts/errors/error-details'
import type { Route } from '@bearing/contracts/route'
import { LimitReached } from '../ground/limits/limit-reached.js'

/** A problem document (RFC 9457), with the member `error` that device tools in the field read. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly request_id: string
  readonly reason?: string
  readonly errors?: readonly Mistake[]
  readonly accessPoints?: AccessPointCounts
  readonly quota?: QuotaUse
  readonly error: {
    readonly code: ErrorCode
    readonly http_code: number
    readonly message: string
    readonly type: string
  }
}

/**
 * The page about replacing legacy location tokens, with the relation types of RFC 9745 §3 and RFC 8594 §6. The reference is relative,
 * so it is right behind any host name.
 */
export const MIGRATION_LINK = '</docs/legacy-tokens>; rel="deprecation sunset"; type="text/plain"'

const REALM = 'bearing'
const BASIC = `Basic realm="${REALM}", charset="UTF-8"`

/** One challenge per scheme (RFC 9110 §11.6.1). A refused token has the error code of RFC 6750 §3.1. */
const CHALLENGES = {
  missing: [`Bearer realm="${REALM}"`, BASIC],
  refused: [`Bearer realm="${REALM}", error="invalid_token"`, BASIC],
} as const

/** The path of the pages about error codes. */
const PAGES = '/docs/errors/'
const DEFAULT_RETRY_AFTER_S = 1

/** Errors that end without a change of the device: it retries after 503, and after no other status. */
const RETRIED_BY_DEVICES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'rate_limited',
  'organization_deleted',
  'project_deleted',
])

/**
 * Returns the status of an error. Devices retry after 503, and never after 429.
 *
 * @param route undefined if there is no such route. Devices also put files to signed addresses.
 */
export function statusOf(
  code: ErrorCode,
  route: Pick<Route, 'device' | 'signedAddress'> | undefined,
): number {
  const isOfDevices = route !== undefined && (route.device || route.signedAddress)
  return isOfDevices && RETRIED_BY_DEVICES.has(code) ? 503 : ERRORS[code].status
}

/**
 * Returns the problem document of an error.
 *
 * @param baseUrl URL before `/docs/errors/<code>`; empty makes `type` a path, which RFC 9457 allows
 * @param status of {@link statusOf}
 */
export function problemOf(
  error: OperationError,
  requestId: string,
  baseUrl: string,
  status: number,
): Problem {
  const { title } = ERRORS[error.code]
  const type = `${baseUrl}${PAGES}${error.code}`
  const { errors, reason, accessPoints, quota } = error.details
  return {
    type,
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(reason !== undefined && { reason }),
    ...(errors && { errors }),
    ...(accessPoints && { accessPoints }),
    ...(quota && { quota }),
    error: { code: error.code, http_code: status, message: error.message, type },
  }
}

/**
 * Returns the headers of an error.
 *
 * @param fromScript whether a script of a page sent the request. It gets no Basic challenge: the browser would ask its user
 *   for a password and send it with later requests.
 */
export function problemHeaders(error: OperationError, fromScript = false): Record<string, string | string[]> {
  if (error.status === 401) {
    const challenges = CHALLENGES[challengeOf(error.code)]
    return {
      'www-authenticate': fromScript ? [challenges[0]] : [...challenges],
      ...(error.code === 'legacy_token_retired' && { link: MIGRATION_LINK }),
    }
  }
  return retryHeaders(error)
}

/** Returns when to retry, and the limit that was reached. */
export function retryHeaders(error: OperationError): Record<string, string> {
  if (error.status !== 503 && error.status !== 429 && error.details.retry_after === undefined) return {}
  return {
    'retry-after': String(Math.ceil(error.details.retry_after ?? DEFAULT_RETRY_AFTER_S)),
    ...(error instanceof LimitReached && error.headers),
  }
}

function challengeOf(code: ErrorCode): keyof typeof CHALLENGES {
  return code === 'credential_missing' ? 'missing' : 'refused'
}
