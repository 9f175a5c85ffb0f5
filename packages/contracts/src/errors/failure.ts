import { z } from 'zod'
import { ERROR_CODES, OperationError, isErrorCode, type ErrorCode, type ErrorDetails } from '../errors.js'
import { AccessPointCounts, QuotaUse } from './error-details.js'

/** The body of an error reply over NATS. The reply also has the headers `Nats-Service-Error` and `-Code` (ADR-32). */
export const Failure = z
  .object({
    code: z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
    reason: z.string().optional(),
    retry_after: z.number().optional(),
    accessPoints: AccessPointCounts.optional(),
    quota: QuotaUse.optional(),
  })
  .meta({ id: 'Failure' })

export function toFailure(error: OperationError): z.infer<typeof Failure> {
  const { errors, reason, retry_after, accessPoints, quota } = error.details
  return {
    code: error.code,
    message: error.message,
    ...(errors && { errors: [...errors] }),
    ...(reason !== undefined && { reason }),
    ...(retry_after !== undefined && { retry_after }),
    ...(accessPoints && { accessPoints }),
    ...(quota && { quota }),
  }
}

/** Converts a failure back to an error. An unknown code of a newer service becomes `internal`. */
export function fromFailure(body: unknown): OperationError {
  const parsed = Failure.safeParse(body)
  if (parsed.success) {
    const { code, message, errors, reason, retry_after, accessPoints, quota } = parsed.data
    const details: ErrorDetails = {
      ...(errors && { errors }),
      ...(reason !== undefined && { reason }),
      ...(retry_after !== undefined && { retry_after }),
      ...(accessPoints && { accessPoints }),
      ...(quota && { quota }),
    }
    return new OperationError(code, message, details)
  }
  const code = (body as { code?: unknown } | null)?.code
  return new OperationError(
    'internal',
    isErrorCode(code)
      ? 'The service gave an error that could not be read.'
      : 'The service gave an error of an unknown kind.',
  )
}
