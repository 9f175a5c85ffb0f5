import { MAX_PER_PAGE } from '@bearing/contracts/primitives'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { isReadableOnTheWay, parseBaseUrl } from './base-url.js'
import { buildRequest, type HttpRequest } from './build-request.js'
import type {
  CallInput,
  CallOutput,
  ListInput,
  ListItem,
  ListName,
  StreamInput,
  StreamItem,
  StreamName,
} from './call-types.js'
import { credentialHeaders, type ClientCredential, type SessionCredential } from './credential-headers.js'
import { CsrfToken } from './csrf-token.js'
import { ProblemError, UnreachableError } from './errors.js'
import { followDownload } from './follow-download.js'
import { readLines } from './read-lines.js'
import { readReply, retryAfterSeconds } from './read-reply.js'
import { anyOf, reasonOf, sleep } from './signals.js'

/** How long a caller waits beyond the operation's own time, in milliseconds: the way to the server and back. */
const NETWORK_ALLOWANCE_MS = 10_000
/** A GET is repeated once where the server says it will be back this soon, in seconds. */
const MAX_RETRY_AFTER_SECONDS = 2

/** One HTTP request and what became of it. Holds no header and no body, so it can be logged. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** Undefined where no answer came. */
  readonly status?: number
  readonly requestId?: string
  readonly durationMs: number
}

export interface ClientOptions {
  /** Address of the management API, such as `https://bearing.example.com`. */
  readonly url: string
  /** Address of the location service (paths below `/v1/`) (default: `url`). */
  readonly locationUrl?: string | undefined
  /** What the caller authenticates with. Without it every call is answered with 401. */
  readonly credential?: ClientCredential | SessionCredential | undefined
  /** How requests are made (default: the global `fetch`). */
  readonly fetch?: typeof globalThis.fetch
  /** How long to wait for an answer, in milliseconds (default: the operation's own time and 10 s). */
  readonly timeoutMs?: number | undefined
  /** `User-Agent`. Browsers send their own. */
  readonly userAgent?: string | undefined
  /** Ends every call of this client; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called after every request. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
  /** Called with a sentence where something is allowed but dangerous, such as a secret over plain http. */
  readonly onWarning?: ((message: string) => void) | undefined
}

/** How one request is sent. */
interface Sending {
  readonly deadline?: boolean
  readonly idempotencyKey?: string | undefined
}

/** How one call is made. */
export interface CallOptions {
  /** Ends the call, and the wait before a repetition; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The body, where it is bytes and no JSON. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined
  /** What a call is named by that may be repeated without doing anything twice, where the route knows such keys. */
  readonly idempotencyKey?: string | undefined
}

/**
 * HTTP client of Bearing, derived from the contracts and the route table. Follows no redirect. It repeats a GET whose answer was
 * 503 with a `Retry-After` of at most 2 s, and, with a browser session, a change that was refused for an outdated CSRF token.
 */
export class BearingClient {
  private readonly url: string
  private readonly locationUrl: string
  private readonly headers: Readonly<Record<string, string>>
  private readonly fetch: typeof globalThis.fetch
  private readonly csrf: CsrfToken

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

  /**
   * Calls a route.
   *
   * @param name the route's name in the route table
   * @param input the operation's input, with the slugs `organization` and `project` in place of the ids
   * @returns the operation's output, without its envelope
   * @throws ProblemError the server refuses; UnreachableError no answer; UnexpectedReplyError an answer that is not
   *   one of Bearing; UnusableInputError the input cannot be sent
   */
  async call<Name extends RouteName>(
    name: Name,
    input: CallInput<Name>,
    options: CallOptions = {},
  ): Promise<CallOutput<Name>> {
    try {
      return await this.callOnce(name, input, options)
    } catch (error) {
      if (!this.csrf.isNeeded || !(error instanceof ProblemError) || error.code !== 'csrf_refused')
        throw error
      // The session is another one now: somebody has signed in again in another tab. If it is another user, a change that the
      // former one filled in must not be made in the name of the new one.
      await this.callOnce('showSession', {}, { signal: options.signal })
      if (!this.csrf.isSameUser(await this.callOnce('whoAmI', {}, { signal: options.signal }))) throw error
      return this.callOnce(name, input, options)
    }
  }

  private async callOnce<Name extends RouteName>(
    name: Name,
    input: CallInput<Name>,
    options: CallOptions,
  ): Promise<CallOutput<Name>> {
    const route: Route = ROUTES[name]
    const built = buildRequest(route, input)
    const request = options.bytes ? { ...built, body: options.bytes } : built
    const signal = anyOf(options.signal, this.options.signal)
    let response = await this.send(route, request, signal, { idempotencyKey: options.idempotencyKey })
    const wait =
      request.method === 'GET' && response.status === 503 && retryAfterSeconds(response, Date.now())
    if (typeof wait === 'number' && wait <= MAX_RETRY_AFTER_SECONDS) {
      await response.body?.cancel()
      await sleep(wait * 1_000, signal)
      response = await this.send(route, request, signal)
    }
    try {
      const output = await readReply(route, response, Date.now())
      this.csrf.keep(route, output)
      return output as CallOutput<Name> // parsed with operation.output
    } catch (error) {
      throw this.transportError(error, response.url, signal)
    }
  }

  /**
   * Reads a list to its end.
   *
   * @returns every item of every page
   * @throws as {@link call}
   */
  async listAll<Name extends ListName>(
    name: Name,
    input: ListInput<Name>,
    options: CallOptions = {},
  ): Promise<ListItem<Name>[]> {
    const items: ListItem<Name>[] = []
    for (let page = 1; ; page++) {
      // The rest of a list's input is that of the call; the compiler does not see it through Omit.
      const pageInput = { ...input, page, per_page: MAX_PER_PAGE } as unknown as CallInput<Name>
      const { data, paging } = await this.call(name, pageInput, options)
      items.push(...data)
      if (page >= paging.page_count || data.length === 0) return items
    }
  }

  /**
   * Reads a list that comes line by line, as long as it is: no more of it is in memory than what was not taken yet. Items
   * have all the members that the server gives, those of newer versions too.
   *
   * @throws as {@link call}; UnreachableError where it ends before its end
   */
  async *stream<Name extends StreamName>(
    name: Name,
    input: StreamInput<Name>,
    options: CallOptions = {},
  ): AsyncGenerator<StreamItem<Name>, void, undefined> {
    const route: Route = ROUTES[name]
    const given = anyOf(options.signal, this.options.signal)
    // The deadline is one for the first line: nobody knows how long the whole takes.
    const ending = new AbortController()
    const signal = anyOf(given, ending.signal)
    const timer = setTimeout(() => {
      ending.abort(new DOMException('no answer in time', 'TimeoutError'))
    }, this.deadlineMs(route))
    try {
      const response = await this.send(route, buildRequest(route, input), signal, { deadline: false })
      clearTimeout(timer)
      if (!response.ok) await readReply(route, response, Date.now())
      for await (const item of readLines(response)) yield item as StreamItem<Name> // one of the operation's output
    } catch (error) {
      throw this.transportError(error, this.urlOf(route), given)
    } finally {
      clearTimeout(timer)
      ending.abort()
    }
  }

  /**
   * Reads the bytes of a file or a chunk, from the gateway or from where that says they are; no credential goes there. No more of it is in
   * memory than what was not taken yet.
   *
   * @throws as {@link call}; UnreachableError where the bytes end before their end, or none come for as long as a call may take
   */
  async *download<Name extends 'downloadFile' | 'readChunk'>(
    name: Name,
    input: CallInput<Name>,
    options: CallOptions = {},
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    const route: Route = ROUTES[name]
    const given = anyOf(options.signal, this.options.signal)
    const ending = new AbortController()
    const signal = anyOf(given, ending.signal)
    const timeOut = () => {
      ending.abort(new DOMException('no bytes in time', 'TimeoutError'))
    }
    let timer = setTimeout(timeOut, this.deadlineMs(route))
    try {
      const answer = await this.send(route, buildRequest(route, input), signal, { deadline: false })
      const response =
        answer.status === 302 ? await followDownload(this.fetch, answer, signal ?? null) : answer
      if (!response.ok) await readReply(route, response, Date.now())
      for await (const bytes of response.body ?? []) {
        clearTimeout(timer)
        yield bytes
        timer = setTimeout(timeOut, this.deadlineMs(route))
      }
    } catch (error) {
      throw this.transportError(error, this.urlOf(route), given)
    } finally {
      clearTimeout(timer)
      ending.abort()
    }
  }

  private deadlineMs(route: Route): number {
    return this.options.timeoutMs ?? route.operation.timeoutMs + NETWORK_ALLOWANCE_MS
  }

  private urlOf(route: Route): string {
    return route.path.startsWith('/v1/') ? this.locationUrl : this.url
  }

  private async send(
    route: Route,
    request: HttpRequest,
    signal: AbortSignal | undefined,
    { deadline: hasDeadline = true, idempotencyKey }: Sending = {},
  ): Promise<Response> {
    const url = this.urlOf(route) + request.target
    const deadline = hasDeadline ? AbortSignal.timeout(this.deadlineMs(route)) : undefined
    const startedAtMs = performance.now()
    const exchange = { method: request.method, url }
    try {
      const response = await this.fetch(url, {
        method: request.method,
        headers: {
          ...this.headers,
          ...this.csrf.headersOf(request.method),
          ...(request.body !== undefined && {
            'content-type':
              typeof request.body === 'string' ? 'application/json' : 'application/octet-stream',
          }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(request.body !== undefined && { body: request.body }),
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

  /** `fetch` reports everything as TypeError or DOMException; its own words help nobody and could hold a header. */
  private transportError(error: unknown, url: string, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason
    const origin = URL.parse(url)?.origin ?? this.url
    // By name: what a `fetch` of another realm or library throws is no instance of this one's classes.
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
