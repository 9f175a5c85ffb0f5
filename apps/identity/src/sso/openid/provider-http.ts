import {
  ALL_ADDRESSES,
  GuardedHttp,
  LOOPBACK_ADDRESSES,
  OutboundError,
  type RecordOutcome,
} from '@bearing/outbound/guarded-http'
import type { CustomFetch, CustomFetchOptions } from 'openid-client'

/** What a provider may cost. */
export interface ProviderLimits {
  /** Whether addresses that are not public, and plain http on this machine, are allowed. */
  readonly allowPrivate: boolean
  /** From looking up the name to the last byte received, in milliseconds. */
  readonly timeoutMs: number
  /** Of a reply. */
  readonly maxBytes: number
}

/** A provider that could not be reached, took too long, sent too much, or is where it must not be. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
}

/** Speaks with identity providers. Who names them is the admin of some organization, and not who runs Bearing. */
export class ProviderHttp {
  private readonly http: GuardedHttp

  constructor(
    private readonly limits: ProviderLimits,
    told?: RecordOutcome,
  ) {
    const { allowPrivate, timeoutMs, maxBytes } = limits
    this.http = new GuardedHttp(
      {
        privateRanges: allowPrivate ? ALL_ADDRESSES : [],
        plainRanges: allowPrivate ? LOOPBACK_ADDRESSES : [],
        timeoutMs,
        maxBytes,
        beyondMaxBytes: 'fail',
      },
      told,
    )
  }

  /** Whether the limits allow what is not public. */
  get allowsPrivate(): boolean {
    return this.limits.allowPrivate
  }

  /** As `fetch`, for openid-client. */
  readonly fetch: CustomFetch = async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    this.refuseHost(url)
    try {
      return await this.http.send(url, { method, headers, body: textOf(body), signal })
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause
      throw new ProviderUnreachable(cause.message, { cause })
    }
  }

  /**
   * Whether a URL is one that we would ask, or send a browser to.
   *
   * @throws ProviderUnreachable
   */
  refuseHost(url: URL): void {
    // Where a browser is sent to is not looked up here, so no other name is one of this machine.
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

/** @throws Error where it is something that openid-client does not send in what we use of it */
function textOf(body: CustomFetchOptions['body']): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('a body of this kind is not sent')
}
