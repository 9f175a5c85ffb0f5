import type { OperationError } from '@bearing/contracts/errors'
import type { Logger } from '@bearing/service/observe/logger'
import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestFields } from '../ground/request-fields.js'
import { unrouted } from './unrouted.js'
import { geolocationErrorOf } from './geolocation-error.js'
import { scimErrorOf } from './scim-error.js'
import { PROBLEM_PAGE_HEADERS, problemPage, wantsPage } from './problem-page.js'
import { problemHeaders, problemOf, retryHeaders, statusOf } from './problem.js'
import { toOperationError } from './to-operation-error.js'

/** Paths that a browser opens as pages, although they answer with redirects. */
const SIGN_ON = /^\/auth\/sso(\/[^/?]+\/(start|callback))?\/?(\?|$)/

/** Returns whether a user is about to look at the reply: a browser opens a page on its way through single sign-on. */
function isNavigationOfSignOn({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && SIGN_ON.test(url)
}

/** Returns the sign-in page that explains an error. It contains codes only: texts of a URL could be anybody's. */
function signInPageFor({ code, details: { reason } }: OperationError, requestId: string): string {
  const query = new URLSearchParams({
    problem: code,
    ...(reason !== undefined && { reason }),
    request: requestId,
  })
  return `/sign-in?${query.toString()}`
}

/** The error format of OAuth 2.0 (RFC 6749 §5.2). */
interface OauthError {
  readonly error: string
  readonly error_description: string
}

function oauthErrorOf(error: OperationError): OauthError {
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

/** Renders every error as a problem document, and as a page where a browser opens the path. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly baseUrl: string,
    /** True if the gateway serves the dashboard, whose sign-in page shows errors of a sign-on. */
    private readonly hasDashboard: boolean,
    private readonly logger: Logger,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp()
    const request = http.getRequest<FastifyRequest>()
    const reply = http.getResponse<FastifyReply>()
    const { error, allow, dialect: dialectThere } = errorOf(thrown, request)
    if (allow !== undefined) reply.header('allow', allow)
    this.log(error, request)
    if (this.hasDashboard && isNavigationOfSignOn(request)) {
      void reply.redirect(signInPageFor(error, request.id), 303)
      return
    }
    const { dialect = dialectThere } = request.route ?? {}
    if (dialect === 'geolocation') {
      const body = geolocationErrorOf(error)
      void reply
        .code(body.error.code)
        .headers(retryHeaders(error))
        .header('content-type', 'application/json')
        .send(JSON.stringify(body))
      return
    }
    if (dialect === 'oauth') {
      void reply
        .code(error.status)
        .headers({ ...retryHeaders(error), 'cache-control': 'no-store' })
        .header('content-type', 'application/json')
        .send(JSON.stringify(oauthErrorOf(error)))
      return
    }
    if (dialect === 'scim') {
      void reply
        .code(error.status)
        .headers(retryHeaders(error))
        .header('content-type', 'application/scim+json')
        .send(JSON.stringify(scimErrorOf(error)))
      return
    }
    const status = statusOf(error.code, request.route)
    const problem = problemOf(error, request.id, this.baseUrl, status)
    void reply.code(status).headers(problemHeaders(error, isFromScript(request)))
    if (wantsPage(request))
      void reply.headers(PROBLEM_PAGE_HEADERS).send(problemPage(problem, this.hasDashboard))
    else void reply.header('content-type', 'application/problem+json').send(JSON.stringify(problem))
  }

  private log(error: OperationError, request: FastifyRequest): void {
    const fields = { ...requestFields(request), code: error.code }
    if (error.code === 'internal') this.logger.error({ ...fields, err: error.cause }, 'a request failed')
    // One line each, without a stack: there are many while a service is down. Refusals under overload are not logged again.
    else if (error.status >= 500 && error.code !== 'overloaded')
      this.logger.warn({ ...fields, cause: String(error.cause) }, 'a request could not be answered')
  }
}

/** Recognizes scripts by Fetch Metadata. Node's `fetch` sends a mode too, but no site. */
function isFromScript({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode']
  return headers['sec-fetch-site'] !== undefined && mode !== undefined && mode !== 'navigate'
}

/** Nest throws `NotFoundException` for a missing route; our handlers do not. */
function errorOf(thrown: unknown, request: FastifyRequest): ReturnType<typeof unrouted> {
  if (thrown instanceof NotFoundException) return unrouted(request.method, request.url)
  return { error: toOperationError(thrown) }
}
