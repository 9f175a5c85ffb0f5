import { lookup as lookUp } from 'node:dns'
import { request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '@bearing/access/address-ranges'
import type { CustomFetch, CustomFetchOptions } from 'openid-client'

/** What a provider may cost. */
export interface ProviderLimits {
  /** Whether addresses that are not public, and plain http on this machine, are allowed. */
  readonly allowPrivate: boolean
  /** From the first byte sent to the last one received, in milliseconds. */
  readonly timeoutMs: number
  /** Of a reply. */
  readonly maxBytes: number
}

/** A provider that could not be reached, took too long, sent too much, or is where it must not be. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
}

/**
 * Speaks with identity providers. Who names them is the admin of some organization and not who runs Bearing, so nothing of
 * the own network is reached through here: the address that a name stands for is checked where the connection is made,
 * and no redirect is followed.
 */
export class ProviderHttp {
  constructor(private readonly limits: ProviderLimits) {}

  /** Whether the limits allow what is not public. */
  get allowsPrivate(): boolean {
    return this.limits.allowPrivate
  }

  /** As `fetch`, for openid-client. */
  readonly fetch: CustomFetch = async (address, options) => {
    const url = new URL(address)
    this.refuseHost(url)
    try {
      return await this.exchange(url, options)
    } catch (cause) {
      if (cause instanceof ProviderUnreachable) throw cause
      throw new ProviderUnreachable('the provider could not be reached', { cause })
    }
  }

  /**
   * Whether a URL is one that we would ask, or send a browser to.
   *
   * @throws ProviderUnreachable
   */
  refuseHost({ protocol, hostname }: URL): void {
    const host = hostname.replace(/^\[|\]$/g, '')
    const isLocal = host === 'localhost' || host === '::1' || /^127\.(?:\d+\.){2}\d+$/.test(host)
    const isAllowed = protocol === 'https:' || (protocol === 'http:' && this.limits.allowPrivate && isLocal)
    if (!isAllowed) throw new ProviderUnreachable('only https is allowed')
    // A name is looked at when it is looked up.
    if (isIP(host) !== 0) this.refuseAddress(host)
  }

  private refuseAddress(address: string): void {
    if (!this.limits.allowPrivate && !isPublicAddress(address))
      throw new ProviderUnreachable('the address is not a public one')
  }

  private readonly lookup: LookupFunction = (hostname, options, done) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      try {
        if (error) throw error
        const [first] = addresses
        if (!first) throw new ProviderUnreachable('the name has no address')
        for (const { address } of addresses) this.refuseAddress(address)
        if (options.all) done(null, addresses)
        else done(null, first.address, first.family)
      } catch (refusal) {
        done(refusal as NodeJS.ErrnoException, []) // an error of the resolver, or ours
      }
    })
  }

  private exchange(url: URL, { method, headers, body, signal }: CustomFetchOptions): Promise<Response> {
    const { timeoutMs, maxBytes } = this.limits
    const request = url.protocol === 'https:' ? requestByHttps : requestByHttp
    return new Promise((resolve, reject) => {
      const options = {
        method,
        headers,
        lookup: this.lookup,
        // No connection is kept: a name may stand for another address by then.
        agent: false,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      } as const
      const sent = request(url, options, (reply) => {
        const chunks: Buffer[] = []
        let bytes = 0
        reply.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          bytes += chunk.length
          if (bytes > maxBytes) reply.destroy(new ProviderUnreachable('the reply is too large'))
        })
        reply.on('error', reject)
        reply.on('end', () => {
          try {
            resolve(responseOf(reply.statusCode ?? 0, reply.rawHeaders, Buffer.concat(chunks)))
          } catch (error) {
            reject(new ProviderUnreachable('the reply is not one of HTTP', { cause: error }))
          }
        })
      })
      sent.on('error', reject)
      sent.end(textOf(body))
    })
  }
}

function responseOf(status: number, rawHeaders: readonly string[], body: Buffer<ArrayBuffer>): Response {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return new Response(body.length === 0 ? null : body, { status, headers })
}

/** @throws Error where it is something that openid-client does not send in what we use of it */
function textOf(body: CustomFetchOptions['body']): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('a body of this kind is not sent')
}
