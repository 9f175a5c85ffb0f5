import type { OperationError } from '@bearing/contracts/errors'

/** The error format of OAuth 2.0 (RFC 6749 §5.2). */
export interface OauthError {
  readonly error: string
  readonly error_description: string
}

export function oauthErrorOf(error: OperationError): OauthError {
  // Only the characters that RFC 6749 allows.
  const error_description = error.message.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '')
  return { error: kindOf(error), error_description }
}

function kindOf({ code, status, details }: OperationError): string {
  if (code === 'token_exchange_refused') return details.reason ?? 'invalid_request'
  // RFC 6749 has codes for an overloaded server only in §4.1.2.1.
  if (status === 429 || status === 503 || status === 504) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}
