import type { OperationError } from '@bearing/contracts/errors'
import type { Logger } from '@bearing/service/logger'
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problemHeaders, problemOf } from './problem.js'
import { toOperationError } from './to-operation-error.js'

/** Renders every error as a problem document. Nothing else in Bearing makes one. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly baseUrl: string,
    private readonly logger: Logger,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp()
    this.render(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>())
  }

  /** Answers a request with an error. */
  render(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = toOperationError(thrown)
    this.log(error, request)
    // A body that was not read to its end would be taken for the next request.
    if (error.code === 'payload_too_large') reply.header('connection', 'close')
    void reply
      .code(error.status)
      .headers(problemHeaders(error))
      .header('content-type', 'application/problem+json')
      .send(JSON.stringify(problemOf(error, request.id, this.baseUrl)))
  }

  private log(error: OperationError, request: FastifyRequest): void {
    const fields = { request_id: request.id, code: error.code, err: error.cause }
    if (error.code === 'internal') this.logger.error(fields, 'a request failed')
    else if (error.status >= 500) this.logger.warn(fields, 'a request could not be answered')
  }
}
