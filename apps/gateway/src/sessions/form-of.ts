import { OperationError } from '@bearing/contracts/errors'
import type { FastifyRequest } from 'fastify'

const FORM = /^application\/x-www-form-urlencoded *(?:;|$)/i

/** Reads the body of a request as a form. @throws OperationError `unsupported_media_type` */
export function formOf({ body, headers }: FastifyRequest): URLSearchParams {
  if (!FORM.test(headers['content-type'] ?? ''))
    throw new OperationError(
      'unsupported_media_type',
      'Send the parameters as application/x-www-form-urlencoded.',
    )
  const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0) // the only content type parser keeps the bytes
  return new URLSearchParams(bytes.toString('utf8'))
}
