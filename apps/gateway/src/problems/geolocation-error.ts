import type { OperationError } from '@bearing/contracts/errors'

/** The error format of public geolocation services. */
export interface GeolocationError {
  readonly error: {
    readonly errors: readonly [{ readonly domain: string; readonly reason: string; readonly message: string }]
    readonly code: number
    readonly message: string
  }
}

type Kind = readonly [code: number, domain: string, reason: string]

const PARSE: Kind = [400, 'global', 'parseError']
const TOO_LARGE: Kind = [413, 'global', 'requestTooLarge']
const KEY: Kind = [400, 'usageLimits', 'keyInvalid']
const METHOD: Kind = [405, 'global', 'httpMethodNotAllowed']
const LIMIT: Kind = [403, 'usageLimits', 'userRateLimitExceeded']
const NOT_FOUND: Kind = [404, 'geolocation', 'notFound']
const UNAVAILABLE: Kind = [503, 'global', 'backendError']
const INTERNAL: Kind = [500, 'global', 'internalError']

export function geolocationErrorOf(error: OperationError): GeolocationError {
  const [code, domain, reason] = kindOf(error)
  const { message } = error
  return { error: { errors: [{ domain, reason, message }], code, message } }
}

function kindOf({ code, status }: OperationError): Kind {
  switch (code) {
    case 'location_not_found':
    case 'nothing_usable':
    case 'too_few_access_points':
      return NOT_FOUND
    case 'invalid_input':
    case 'malformed_json':
    case 'unsupported_media_type':
      return PARSE
    case 'payload_too_large':
      return TOO_LARGE
    case 'method_not_allowed':
      return METHOD
    case 'rate_limited':
      return LIMIT
    default:
      // The remaining errors below 500 are about the key: missing, wrong, not allowed here, or one of several.
      return status < 500 ? KEY : status === 503 ? UNAVAILABLE : INTERNAL
  }
}
