import { OperationError, type ErrorCode } from '@bearing/contracts/errors'
import { HttpException } from '@nestjs/common'

/** What Fastify's own errors mean, by their code. */
const FASTIFY_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is larger than this address takes.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_input', 'The body is not as long as Content-Length says.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_BAD_URL: ['route_not_found', 'The address is not well formed.'],
  FST_ERR_MAX_PARAM_LENGTH: ['route_not_found', 'A part of the address is too long.'],
  FST_ERR_ROUTE_MISSING: ['route_not_found', 'There is nothing at this address.'],
}

/** What any error means to the caller. What is not known to be theirs is our own: they learn that much and no more. */
export function toOperationError(error: unknown): OperationError {
  if (error instanceof OperationError) return error
  const known = FASTIFY_ERRORS[String((error as { code?: unknown } | null)?.code)]
  if (known) return new OperationError(known[0], known[1], {}, { cause: error })
  if (error instanceof HttpException && error.getStatus() === 404)
    return new OperationError('route_not_found', 'There is nothing at this address.')
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  if (status === 400) return new OperationError('invalid_input', 'The request is not well formed.', {}, { cause: error })
  return new OperationError(
    'internal',
    'Something went wrong on our side. The request id helps to find out what.',
    {},
    { cause: error },
  )
}
