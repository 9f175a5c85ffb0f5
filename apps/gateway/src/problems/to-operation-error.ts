import { OperationError, type ErrorCode } from '@bearing/contracts/errors'
import { HttpException } from '@nestjs/common'

/** What errors of the HTTP server mean, by their status: Nest keeps no more of them. */
const BY_STATUS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['invalid_input', 'The request is not well formed.'],
  404: ['route_not_found', 'There is nothing at this address.'],
  413: ['payload_too_large', 'The body is larger than this address takes.'],
  414: ['route_not_found', 'A part of the address is too long.'],
  415: ['unsupported_media_type', 'Send the body as application/json.'],
}

/** What any error means to the caller. What is not known to be theirs is our own: they learn that much and no more. */
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
    'Something went wrong on our side. The request id helps to find out what.',
    {},
    { cause: error },
  )
}
