import {
  ALL_ADDRESSES,
  GuardedHttp,
  LOOPBACK_ADDRESSES,
  OutboundError,
  type RecordOutcome,
} from '@bearing/outbound/guarded-http'
import type { CustomFetch, CustomFetchOptions } from 'openid-client'

export interface ProviderLimits {
  /** True if private IP addresses, and plain http on this machine, are allowed. */
  readonly allowPrivate: boolean
  /** Timeout from name lookup to the last byte, in milliseconds. */
  readonly timeoutMs: number
  /** Maximum size of a response. */
  readonly maxBytes: number
}

/** The provider does not respond, responds too slowly or too much, or has a forbidden IP address. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
}

/** A response of the provider is larger than the limit. It will be the next time too. */
export class ProviderReplyTooLarge extends Error {
  override readonly name = 'ProviderReplyTooLarge'
}

/** Sends requests to identity providers, which admins of organizations name, not the operator of Bearing. */
export class ProviderHttp {
  private readonly http: GuardedHttp

  constructor(
    private readonly limits: ProviderLimits,
    observe?: RecordOutcome,
  ) {
    const { allowPrivate, timeoutMs, maxBytes } = limits
    this.http = new GuardedHttp(
      {
        privateRanges: allowPrivate ? ALL_ADDRESSES : [],
        plainRanges: allowPrivate ? LOOPBACK_ADDRESSES : [],
        timeoutMs,
        maxBytes,
      },
      observe,
    )
  }

  get allowsPrivate(): boolean {
    return this.limits.allowPrivate
  }

  /** `fetch` for openid-client. */
  readonly fetch: CustomFetch = async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    this.refuseHost(url)
    try {
      return await this.http.send(url, { method, headers, body: textOf(body), signal })
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause
      if (cause.reason === 'too_large')
        throw new ProviderReplyTooLarge(
          `its response is larger than ${String(this.limits.maxBytes / 1_024)} KiB; let it send fewer claims, such as groups`,
          { cause },
        )
      throw new ProviderUnreachable(cause.message, { cause })
    }
  }

  /** @throws ProviderUnreachable for a URL that neither Bearing nor a browser may be sent to */
  refuseHost(url: URL): void {
    // Names for browsers are not looked up here, so no other name can be this machine.
    const isLocal = /^(localhost|\[::1\]|127\.(?:\d+\.){2}\d+)$/.test(url.hostname)
    if (url.protocol !== 'https:' && !isLocal) throw new ProviderUnreachable('only https is allowed')
    try {
      this.http.refuse(url)
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause
      throw new ProviderUnreachable(cause.message, { cause })
    }
  }
}

/** @throws Error for bodies that openid-client does not send in this flow */
function textOf(body: CustomFetchOptions['body']): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('unexpected type of body')
}
