import type { Route } from '@bearing/contracts/routes'
import { isReadableOnTheWay, parseBaseUrl } from './base-url.js'
import type { HttpRequest } from './build-request.js'
import type { ClientOptions } from './client-options.js'
import { credentialHeaders } from './credential-headers.js'
import { CsrfToken } from './csrf-token.js'
import { UnreachableError, UnusableInputError } from './errors.js'
import { anyOf, reasonOf } from './signals.js'

/** Time that a caller waits beyond the operation's own, in milliseconds: the way to the server and back. */
const NETWORK_ALLOWANCE_MS = 10_000

/** Options of one request. */
interface Sending {
  readonly deadline?: boolean
  readonly idempotencyKey?: string | undefined
}

/** A request to an address. */
interface Addressed {
  readonly method: string
  readonly url: string
  readonly body?: HttpRequest['body']
  /** Of the body (default: JSON for text, else bytes). */
  readonly contentType?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** Time limit for the answer, in milliseconds. */
  readonly deadlineMs?: number | undefined
}

/** Sends the requests of a client, with its credential and within its time. */
export class Transport {
  private readonly url: string
  private readonly locationUrl: string
  private readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
  readonly csrf: CsrfToken

  /** @throws UnusableInputError where an address or the credential cannot be used */
  constructor(private readonly options: ClientOptions) {
    this.url = parseBaseUrl(options.url)
    this.locationUrl = options.locationUrl === undefined ? this.url : parseBaseUrl(options.locationUrl)
    this.headers = {
      accept: 'application/json, application/problem+json',
      ...(options.userAgent !== undefined && { 'user-agent': options.userAgent }),
      ...(options.credential &&
        options.credential.kind !== 'session' &&
        credentialHeaders(options.credential)),
    }
    // Browsers refuse a `fetch` that is called as a method of something else.
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
    this.csrf = new CsrfToken(options.credential)
    this.warnAboutPlainHttp()
  }

  /** Returns the time limit for an answer of the route, in milliseconds. */
  deadlineMs(route: Route): number {
    return this.options.timeoutMs ?? route.operation.timeoutMs + NETWORK_ALLOWANCE_MS
  }

  /** The server that answers the route. */
  urlOf(route: Route): string {
    return route.path.startsWith('/v1/') ? this.locationUrl : this.url
  }

  /** @throws UnreachableError no answer; the signal's reason */
  async send(
    route: Route,
    request: HttpRequest,
    signal: AbortSignal | undefined,
    { deadline: hasDeadline = true, idempotencyKey }: Sending = {},
  ): Promise<Response> {
    const addressed: Addressed = {
      ...{ method: request.method, url: this.urlOf(route) + request.target, body: request.body },
      ...{ idempotencyKey, deadlineMs: hasDeadline ? this.deadlineMs(route) : undefined },
    }
    return this.sendTo(addressed, signal)
  }

  /**
   * Returns the address of a path of the server.
   *
   * @param target path and query, such as `/api/v0/organizations?page=2`
   * @throws UnusableInputError if it is none, or leads out of the server's address
   */
  addressOf(target: string): string {
    const base = target.startsWith('/v1/') ? this.locationUrl : this.url
    const url = target.startsWith('/') ? URL.parse(base + target) : null
    const isBelow = url?.origin === new URL(base).origin && url.href.startsWith(`${base}/`)
    if (!isBelow || /[\\\p{Cc}]/u.test(target))
      throw new UnusableInputError('The path must be one of the gateway, such as /api/v0/organizations.')
    return url.href
  }

  /** @throws UnreachableError no answer; the signal's reason */
  async sendTo(
    { method, url, body, contentType, idempotencyKey, deadlineMs }: Addressed,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const deadline = deadlineMs === undefined ? undefined : AbortSignal.timeout(deadlineMs)
    const startedAtMs = performance.now()
    const exchange = { method, url }
    try {
      const response = await this.fetch(url, {
        method,
        headers: {
          ...this.headers,
          ...this.csrf.headersOf(method),
          ...(body !== undefined && {
            'content-type':
              contentType ?? (typeof body === 'string' ? 'application/json' : 'application/octet-stream'),
          }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        credentials: this.csrf.isNeeded ? 'same-origin' : 'omit',
        signal: anyOf(signal, deadline) ?? null,
      })
      const requestId = response.headers.get('x-request-id')
      this.options.onExchange?.({
        ...exchange,
        status: response.status,
        ...(requestId !== null && { requestId }),
        durationMs: performance.now() - startedAtMs,
      })
      return response
    } catch (error) {
      this.options.onExchange?.({ ...exchange, durationMs: performance.now() - startedAtMs })
      throw this.transportError(error, url, signal)
    }
  }

  /**
   * Returns the error that a failed request is reported as: `fetch` reports everything as TypeError or DOMException, whose words
   * do not help and could hold a header.
   */
  transportError(error: unknown, url: string, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason
    const origin = URL.parse(url)?.origin ?? this.url
    // By name: an error of a `fetch` of another realm or library is no instance of this one's classes.
    const name = (error as { name?: unknown } | null)?.name
    if (name === 'TimeoutError')
      return new UnreachableError(
        'timeout',
        `${origin} did not answer in time. Try again, or look at the server.`,
      )
    if (name === 'TypeError' || name === 'AbortError')
      return new UnreachableError(
        'network',
        `${origin} cannot be reached${reasonOf(error)}. Check the address, and that the gateway is running.`,
      )
    return error
  }

  private warnAboutPlainHttp(): void {
    const kind = this.options.credential?.kind
    if (!kind || kind === 'project_key') return
    for (const url of new Set([this.url, this.locationUrl]))
      if (isReadableOnTheWay(url))
        this.options.onWarning?.(
          `The credential is sent to ${url} over plain HTTP: anyone on the network path can read it. Use HTTPS.`,
        )
  }
}
