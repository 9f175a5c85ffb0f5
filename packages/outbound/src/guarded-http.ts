import { request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { connect } from 'node:tls'
import { isInRanges, isPublicAddress } from '@bearing/access/address-ranges'
import { Names } from './names.js'

/** Every IP address, as `privateRanges` of trusted configuration. */
export const ALL_ADDRESSES: readonly string[] = ['0.0.0.0/0', '::/0']
export const LOOPBACK_ADDRESSES: readonly string[] = ['127.0.0.0/8', '::1/128']

/** Metadata services of clouds with a public IP address (Azure). They return secrets. */
const METADATA_ADDRESSES: readonly string[] = ['168.63.129.16/32']

/** The port of syslog over TLS (RFC 5425). */
const SYSLOG_PORT = 6514

export interface OutboundLimits {
  /** Non-public ranges that may be reached, from `normalizeRange`. */
  readonly privateRanges: readonly string[]
  /** Ranges that may be reached without TLS. Others require https. */
  readonly plainRanges: readonly string[]
  /** From the DNS lookup to the last byte that is read, in milliseconds. */
  readonly timeoutMs: number
  /** Size of the reply's body; a longer one is an error. 0: the reply is its status and its headers, and the body is not read. */
  readonly maxBytes: number
}

export interface OutboundRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Bytes in pieces need a `content-length`. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
  readonly signal?: AbortSignal | undefined
}

/** The reason for a missing reply. */
export type OutboundReason = 'not_allowed' | 'timeout' | 'too_large' | 'unreachable'

/** The class of the status, or the reason for a missing reply. Contains nothing about the receiver. */
export type OutboundOutcome = 'ok' | '3xx' | '4xx' | '5xx' | OutboundReason

/** Receives the outcome of every request. */
export type RecordOutcome = (outcome: OutboundOutcome, durationMs: number) => void

/** An outbound request without a usable reply. The message contains nothing of the reply. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'

  constructor(
    readonly reason: OutboundReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
 * Sends HTTP requests to URLs of customers, without access to internal networks (SSRF): checks the IP addresses of the host name
 * for every connection, and connects to a checked one. Follows no redirects, reuses no connections, uses no proxy.
 */
export class GuardedHttp {
  constructor(
    private readonly limits: OutboundLimits,
    private readonly record: RecordOutcome = () => undefined,
    private readonly names = new Names(),
  ) {}

  /**
   * Sends a request and reads the reply, whatever its status.
   *
   * @throws OutboundError
   */
  send(url: URL, request: OutboundRequest): Promise<Response> {
    return this.attempt(url, request.signal, outcomeOf, (late) => this.exchange(url, request, late))
  }

  /**
   * Sends bytes over a TLS connection of their own, and waits until the receiver has read them and closes it.
   *
   * @param url `tls://host:port`
   * @throws OutboundError
   */
  pour(
    url: URL,
    bytes: Uint8Array,
    { ca, signal }: { readonly ca?: string | undefined; readonly signal?: AbortSignal },
  ): Promise<void> {
    const secure = secureUrl(url)
    const host = secure.hostname.replace(/^\[|\]$/g, '')
    return this.attempt(
      secure,
      signal,
      () => 'ok',
      (late) => {
        const over = AbortSignal.any([late, ...(signal ? [signal] : [])])
        return new Promise((resolve, reject) => {
          let isSent = false
          const socket = connect({
            ...{ host, port: Number(url.port || SYSLOG_PORT), lookup: this.lookupFor('https:', over) },
            ...(isIP(host) === 0 && { servername: host }),
            ...(ca !== undefined && { ca }),
          })
          const cut = () => socket.destroy(new Error('the time is over'))
          over.addEventListener('abort', cut, { once: true })
          socket.once('secureConnect', () => socket.end(bytes))
          socket.once('finish', () => (isSent = true))
          socket.once('error', reject)
          socket.once('close', () => {
            over.removeEventListener('abort', cut)
            if (isSent) resolve()
            else reject(new OutboundError('unreachable', 'the receiver closed the connection'))
          })
          socket.resume()
        })
      },
    )
  }

  /** Sends something if its URL is allowed, and records the outcome. */
  private async attempt<Reply>(
    url: URL,
    signal: AbortSignal | undefined,
    outcome: (reply: Reply) => OutboundOutcome,
    run: (late: AbortSignal) => Promise<Reply>,
  ): Promise<Reply> {
    const begunMs = performance.now()
    const late = AbortSignal.timeout(this.limits.timeoutMs)
    try {
      this.refuse(url)
      const reply = await run(late)
      this.record(outcome(reply), performance.now() - begunMs)
      return reply
    } catch (cause) {
      const failure = failureOf(cause, late.aborted || isTimeout(signal?.reason))
      this.record(failure.reason, performance.now() - begunMs)
      throw failure
    }
  }

  /**
   * Checks a URL without a DNS lookup.
   *
   * @throws OutboundError
   */
  refuse({ protocol, hostname }: URL): void {
    const isPlain = protocol === 'http:' && this.limits.plainRanges.length > 0
    if (protocol !== 'https:' && !isPlain) throw new OutboundError('not_allowed', 'only https is allowed')
    const host = hostname.replace(/^\[|\]$/g, '')
    // Names are checked when they are resolved.
    if (isIP(host) !== 0) this.refuseAddress(host, protocol)
  }

  private refuseAddress(address: string, protocol: string): void {
    const { privateRanges, plainRanges } = this.limits
    const isPublic = isPublicAddress(address) && !isInRanges(address, METADATA_ADDRESSES)
    if (!isPublic && !isInRanges(address, privateRanges))
      throw new OutboundError('not_allowed', 'the address is not public')
    if (protocol !== 'https:' && !isInRanges(address, plainRanges))
      throw new OutboundError('not_allowed', 'only https is allowed')
  }

  /** Every address of a name must be allowed, because Node chooses one of them. */
  private lookupFor(protocol: string, signal: AbortSignal): LookupFunction {
    const allowed = async (hostname: string) => {
      const addresses = await this.names.lookUp(hostname, signal)
      if (addresses.length === 0) throw new OutboundError('unreachable', 'the name has no address')
      for (const { address } of addresses) this.refuseAddress(address, protocol)
      return [...addresses]
    }
    return (hostname, options, done) => {
      allowed(hostname).then(
        (addresses) => {
          const [first] = addresses
          if (options.all) done(null, addresses)
          else done(null, first?.address ?? '', first?.family)
        },
        (refusal: unknown) => {
          done(refusal as NodeJS.ErrnoException, []) // an error of the resolver, or ours
        },
      )
    }
  }

  private exchange(
    url: URL,
    { method, headers, body, signal }: OutboundRequest,
    late: AbortSignal,
  ): Promise<Response> {
    const { maxBytes } = this.limits
    const request = url.protocol === 'https:' ? requestByHttps : requestByHttp
    const over = AbortSignal.any([late, ...(signal ? [signal] : [])])
    return new Promise((resolve, reject) => {
      const options = {
        method,
        headers,
        lookup: this.lookupFor(url.protocol, over),
        // No connection is reused: the name may have another address later.
        agent: false,
        signal: over,
      } as const
      const sent = request(url, options, (reply) => {
        const chunks: Buffer[] = []
        let bytes = 0
        const finish = () => {
          try {
            resolve(responseOf(reply.statusCode ?? 0, reply.rawHeaders, Buffer.concat(chunks)))
          } catch (cause) {
            reject(new OutboundError('unreachable', 'the reply is not HTTP', { cause }))
          }
        }
        if (maxBytes === 0) {
          finish()
          reply.destroy()
          return
        }
        reply.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bytes += chunk.length
          if (bytes <= maxBytes) return
          reject(new OutboundError('too_large', 'the reply is too large'))
          reply.destroy()
        })
        reply.on('error', reject)
        reply.on('end', finish)
      })
      sent.on('error', reject)
      if (typeof body === 'object' && Symbol.asyncIterator in body)
        Readable.from(body)
          .on('error', (cause) => sent.destroy(cause))
          .pipe(sent)
      else sent.end(body)
    })
  }
}

/** Returns the `https` URL of the host of a `tls` URL: it is checked in the same way. */
export function secureUrl(url: URL): URL {
  return new URL(url.href.replace(/^tls:/, 'https:'))
}

function outcomeOf({ status }: Response): OutboundOutcome {
  if (status < 300) return 'ok'
  return status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx'
}

function failureOf(cause: unknown, isLate: boolean): OutboundError {
  if (cause instanceof OutboundError) return cause
  if (isLate) return new OutboundError('timeout', 'there was no complete reply in time', { cause })
  return new OutboundError('unreachable', 'it could not be reached', { cause })
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

function responseOf(status: number, rawHeaders: readonly string[], body: Buffer<ArrayBuffer>): Response {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return new Response(body.length === 0 ? null : body, { status, headers })
}
