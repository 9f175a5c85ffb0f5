import { request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isInRanges, isPublicAddress } from '@bearing/access/address-ranges'
import { Names } from './names.js'

/** Every address: for `privateRanges` of who trusts everybody that may name one. */
export const ALL_ADDRESSES: readonly string[] = ['0.0.0.0/0', '::/0']
/** The addresses of this machine alone. */
export const LOOPBACK_ADDRESSES: readonly string[] = ['127.0.0.0/8', '::1/128']

/** What clouds answer their machines at, secrets and all, although the address looks like a public one (Azure). */
const METADATA_ADDRESSES: readonly string[] = ['168.63.129.16/32']

/** What may be reached, and what it may cost. */
export interface OutboundLimits {
  /** Ranges of addresses that are reached although they are not public; as `normalizeRange` gives them. */
  readonly privateRanges: readonly string[]
  /** Ranges of addresses that are spoken to without TLS, if they are reached at all. Everywhere else https is demanded. */
  readonly plainRanges: readonly string[]
  /** From looking up the name to the last byte received, in milliseconds. */
  readonly timeoutMs: number
  /** Of the body of a reply. */
  readonly maxBytes: number
  /** What becomes of a longer one: the whole exchange has failed, or only its beginning is kept. */
  readonly beyondMaxBytes: 'fail' | 'cut'
}

/** What is sent. */
export interface OutboundRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
}

/** Why there is no reply. */
export type OutboundReason = 'not_allowed' | 'timeout' | 'too_large' | 'unreachable'

/** What became of a request, without anything that tells of whom: by the class of the status, or why there is none. */
export type OutboundOutcome = 'ok' | '3xx' | '4xx' | '5xx' | OutboundReason

/** Told of every request, with the milliseconds that it took. */
export type OutboundTold = (outcome: OutboundOutcome, durationMs: number) => void

/** The address must not be reached, or could not be, or sent what is not taken. The message holds nothing of the reply. */
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
 * Speaks HTTP with whom customers name. They are not who runs Bearing, so nothing of the own network is reached through
 * here: the addresses that a name stands for are checked where the connection is made, each time, and the connection goes
 * to one of those checked. No redirect is followed, no connection kept, no proxy of the environment asked.
 */
export class GuardedHttp {
  constructor(
    private readonly limits: OutboundLimits,
    private readonly told: OutboundTold = () => undefined,
    private readonly names = new Names(),
  ) {}

  /**
   * Sends a request and reads the reply, whatever its status.
   *
   * @throws OutboundError
   */
  async send(url: URL, request: OutboundRequest): Promise<Response> {
    const begunMs = performance.now()
    const late = AbortSignal.timeout(this.limits.timeoutMs)
    try {
      this.refuse(url)
      const reply = await this.exchange(url, request, late)
      this.told(outcomeOf(reply), performance.now() - begunMs)
      return reply
    } catch (cause) {
      const failure = failureOf(cause, late.aborted || isTimeout(request.signal?.reason))
      this.told(failure.reason, performance.now() - begunMs)
      throw failure
    }
  }

  /**
   * Refuses what can be seen to be refused without looking up the name.
   *
   * @throws OutboundError
   */
  refuse({ protocol, hostname }: URL): void {
    const isPlain = protocol === 'http:' && this.limits.plainRanges.length > 0
    if (protocol !== 'https:' && !isPlain) throw new OutboundError('not_allowed', 'only https is allowed')
    const host = hostname.replace(/^\[|\]$/g, '')
    // A name is looked at when it is looked up.
    if (isIP(host) !== 0) this.refuseAddress(host, protocol)
  }

  private refuseAddress(address: string, protocol: string): void {
    const { privateRanges, plainRanges } = this.limits
    const isPublic = isPublicAddress(address) && !isInRanges(address, METADATA_ADDRESSES)
    if (!isPublic && !isInRanges(address, privateRanges))
      throw new OutboundError('not_allowed', 'the address is not a public one')
    if (protocol !== 'https:' && !isInRanges(address, plainRanges))
      throw new OutboundError('not_allowed', 'only https is allowed')
  }

  /** Every address that a name has must be allowed: which of them is taken is not ours to say. */
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
    const { maxBytes, beyondMaxBytes } = this.limits
    const request = url.protocol === 'https:' ? requestByHttps : requestByHttp
    const over = AbortSignal.any([late, ...(signal ? [signal] : [])])
    return new Promise((resolve, reject) => {
      const options = {
        method,
        headers,
        lookup: this.lookupFor(url.protocol, over),
        // No connection is kept: a name may stand for another address by then.
        agent: false,
        signal: over,
      } as const
      const sent = request(url, options, (reply) => {
        const chunks: Buffer[] = []
        let bytes = 0
        const finish = () => {
          try {
            const kept = Buffer.concat(chunks).subarray(0, maxBytes)
            resolve(responseOf(reply.statusCode ?? 0, reply.rawHeaders, kept))
          } catch (cause) {
            reject(new OutboundError('unreachable', 'the reply is not one of HTTP', { cause }))
          }
        }
        reply.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bytes += chunk.length
          if (bytes <= maxBytes) return
          if (beyondMaxBytes === 'cut') finish()
          else reject(new OutboundError('too_large', 'the reply is too large'))
          reply.destroy()
        })
        reply.on('error', reject)
        reply.on('end', finish)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }
}

function outcomeOf({ status }: Response): OutboundOutcome {
  if (status < 300) return 'ok'
  return status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx'
}

function failureOf(cause: unknown, isLate: boolean): OutboundError {
  if (cause instanceof OutboundError) return cause
  if (isLate) return new OutboundError('timeout', 'there was no whole reply in time', { cause })
  return new OutboundError('unreachable', 'it could not be reached', { cause })
}

/** Whether a signal says that time is over; it has no reason as long as it says nothing. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

function responseOf(status: number, rawHeaders: readonly string[], body: Buffer<ArrayBuffer>): Response {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return new Response(body.length === 0 ? null : body, { status, headers })
}
