import { ERRORS, OperationError } from '@bearing/contracts/errors'
import { toFailure } from '@bearing/contracts/errors/failure'
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { throwError } from 'rxjs'

/** Writes errors of Bearing as problem documents (RFC 9457) with their status, and as errors of messages. */
@Catch(OperationError)
export class ProblemFilter implements ExceptionFilter<OperationError> {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: OperationError, host: ArgumentsHost) {
    if (host.getType() !== 'http') return throwError(() => ({ status: 'error', ...toFailure(error) }))
    const { httpAdapter: adapter } = this.host
    const response: unknown = host.switchToHttp().getResponse()
    const { code, status, details, message: detail } = error
    if (details.retry_after !== undefined)
      adapter.setHeader(response, 'Retry-After', String(Math.ceil(details.retry_after)))
    if (status === 401) adapter.setHeader(response, 'WWW-Authenticate', 'Bearer')
    adapter.setHeader(response, 'Content-Type', 'application/problem+json')
    const { title } = ERRORS[code]
    adapter.reply(response, JSON.stringify({ title, status, detail, code }), status)
    return undefined
  }
}
