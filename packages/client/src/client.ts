import { MAX_PER_PAGE } from '@bearing/contracts/primitives'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { buildRequest } from './build-request.js'
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
import type { CallOptions, ClientOptions, ListOptions, RawRequest } from './client-options.js'
import type { CsrfToken } from './csrf-token.js'
import { ProblemError } from './errors.js'
import { followDownload } from './follow-download.js'
import { readLines } from './read-lines.js'
import { readReply, retryAfterSeconds } from './read-reply.js'
import { anyOf, sleep } from './signals.js'
import { Transport } from './transport.js'

/** A GET is repeated once where the server says it will be back this soon, in seconds. */
const MAX_RETRY_AFTER_SECONDS = 2

/**
 * HTTP client of Bearing, derived from the contracts and the route table. Follows no redirect. It repeats a GET whose answer was
 * 503 with a `Retry-After` of at most 2 s, a call for which the user gave a proof that the server wanted (`prove`), and, with a browser
 * session, a change that was refused for an outdated CSRF token. Before the first change it reads the token.
 */
export class BearingClient {
  private readonly transport: Transport
  private readonly csrf: CsrfToken

  /** @throws UnusableInputError where an address or the credential cannot be used */
  constructor(private readonly options: ClientOptions) {
    this.transport = new Transport(options)
    this.csrf = this.transport.csrf
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
      return await this.callWithCsrfToken(name, input, options)
    } catch (error) {
      const needsProof = error instanceof ProblemError && error.code === 'recent_sign_in_required'
      if (!needsProof || !(await this.options.prove?.())) throw error
      return this.callWithCsrfToken(name, input, options)
    }
  }

  private async callWithCsrfToken<Name extends RouteName>(
    name: Name,
    input: CallInput<Name>,
    options: CallOptions,
  ): Promise<CallOutput<Name>> {
    if (this.csrf.isMissingFor(ROUTES[name])) await this.readCsrfToken(options)
    try {
      return await this.callOnce(name, input, options)
    } catch (error) {
      // The session is another one now: a user has signed in again in another tab.
      const isOutdated = this.csrf.isNeeded && error instanceof ProblemError && error.code === 'csrf_refused'
      if (!isOutdated || !(await this.readCsrfToken(options))) throw error
      return this.callOnce(name, input, options)
    }
  }

  /**
   * Reads the CSRF token of the session.
   *
   * @returns false if the session is another user's: a change that the former one filled in must not be made in the name of the
   *   new one
   */
  private async readCsrfToken({ signal }: CallOptions): Promise<boolean> {
    await this.callOnce('showSession', {}, { signal })
    if (this.csrf.isSameUser(await this.callOnce('whoAmI', {}, { signal }))) return true
    this.csrf.discard()
    return false
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
    let response = await this.transport.send(route, request, signal, {
      idempotencyKey: options.idempotencyKey,
    })
    const wait =
      request.method === 'GET' && response.status === 503 && retryAfterSeconds(response, Date.now())
    if (typeof wait === 'number' && wait <= MAX_RETRY_AFTER_SECONDS) {
      await response.body?.cancel()
      await sleep(wait * 1_000, signal)
      response = await this.transport.send(route, request, signal)
    }
    try {
      const output = await readReply(route, response, Date.now())
      this.csrf.keep(route, output)
      return output as CallOutput<Name> // parsed with operation.output
    } catch (error) {
      throw this.transport.transportError(error, response.url, signal)
    }
  }

  /**
   * Sends a request as it is, with the credential, to the gateway, or below `/v1/` to the location service. Follows no redirect.
   *
   * @returns the answer, whatever its status
   * @throws UnreachableError no answer; UnusableInputError the path is not one of the server
   */
  async request(raw: RawRequest, { signal }: Pick<CallOptions, 'signal'> = {}): Promise<Response> {
    const { method, target, body, contentType } = raw
    const url = this.transport.addressOf(target)
    return this.transport.sendTo({ method, url, body, contentType }, anyOf(signal, this.options.signal))
  }

  /**
   * Reads a list to its end, or as many items as are wanted.
   *
   * @param options `limit`: the most items, 1 or more (default: all)
   * @returns the items of all pages
   * @throws as {@link call}
   */
  async listAll<Name extends ListName>(
    name: Name,
    input: ListInput<Name>,
    { limit = Infinity, ...options }: ListOptions = {},
  ): Promise<ListItem<Name>[]> {
    const items: ListItem<Name>[] = []
    const per_page = Math.min(MAX_PER_PAGE, limit)
    for (let page = 1; ; page++) {
      // The rest of a list's input is that of the call; the compiler does not see it through Omit.
      const pageInput = { ...input, page, per_page } as unknown as CallInput<Name>
      const { data, paging } = await this.call(name, pageInput, options)
      items.push(...data)
      const isEnd = page >= paging.page_count || data.length === 0
      if (isEnd || items.length >= limit) return items.slice(0, limit)
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
    }, this.transport.deadlineMs(route))
    try {
      const response = await this.transport.send(route, buildRequest(route, input), signal, {
        deadline: false,
      })
      clearTimeout(timer)
      if (!response.ok) await readReply(route, response, Date.now())
      for await (const item of readLines(response)) yield item as StreamItem<Name> // one of the operation's output
    } catch (error) {
      throw this.transport.transportError(error, this.transport.urlOf(route), given)
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
    let timer = setTimeout(timeOut, this.transport.deadlineMs(route))
    try {
      const answer = await this.transport.send(route, buildRequest(route, input), signal, { deadline: false })
      const response =
        answer.status === 302 ? await followDownload(this.transport.fetch, answer, signal ?? null) : answer
      if (!response.ok) await readReply(route, response, Date.now())
      for await (const bytes of response.body ?? []) {
        clearTimeout(timer)
        yield bytes
        timer = setTimeout(timeOut, this.transport.deadlineMs(route))
      }
    } catch (error) {
      throw this.transport.transportError(error, this.transport.urlOf(route), given)
    } finally {
      clearTimeout(timer)
      ending.abort()
    }
  }
}
