import { OperationError, type ErrorCode } from '@bearing/contracts/errors'
import { HttpException } from '@nestjs/common'

/** Errors of the HTTP server by status: Nest keeps nothing else of them. */
const BY_STATUS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['invalid_input', 'The request is not well formed.'],
  404: ['route_not_found', 'There is no such route.'],
  413: ['payload_too_large', 'The body is larger than this route accepts.'],
  414: ['route_not_found', 'A part of the path is too long.'],
  415: ['unsupported_media_type', 'Send the body as application/json.'],
}

/** Converts any error to one for the caller. An unknown error becomes `internal`, without its details. */
export function toOperationError(error: unknown): OperationError {
  if (error instanceof OperationError) return error
  const status =
    error instanceof HttpException
      ? error.getStatus()
      : Number((error as { statusCode?: unknown } | null)?.statusCode)
  const known = BY_STATUS[status]
  if (known) return new OperationError(known[0], known[1], {}, { cause: error })
  return new OperationError(
    'internal',
    'An internal error occurred. Report the request id to the operator.',
    {},
    { cause: error },
  )
}
