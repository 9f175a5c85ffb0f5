import { OutboundError, type OutboundRequest } from '@bearing/outbound/guarded-http'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { retryAfterMs } from './rules/webhook-retry.js'
import { webhookHeaders } from './rules/webhook-signature.js'
import { WebhookHttp } from './webhook-http.js'
import { WebhookSecrets, type StoredSecrets } from './webhook-secrets.js'

/** The outcome of an attempt. Of the reply it contains only the status. */
export interface Outcome {
  readonly accepted: boolean
  readonly status: number | null
  readonly error: 'status' | 'timeout' | 'unreachable' | null
  readonly durationMs: number
  /** The receiver's `Retry-After`, in milliseconds; 0 if it sent none. */
  readonly retryAfterMs: number
}

/** Sends a delivery once. */
@Injectable()
export class SendDelivery {
  constructor(
    private readonly http: WebhookHttp,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /**
   * @param signal aborts the attempt
   * @throws OperationError `service_unavailable` if one of our encryption keys is missing
   */
  async send(
    webhook: StoredSecrets & { readonly url: string },
    delivery: {
      readonly id: string
      readonly body: string | Uint8Array
      readonly headers?: Readonly<Record<string, string>>
    },
    signal?: AbortSignal,
  ): Promise<Outcome> {
    const at = this.clock.now()
    const signature = webhookHeaders(delivery.id, at, delivery.body, this.secrets.open(webhook, at))
    const headers = { 'content-type': 'application/json', ...delivery.headers, ...signature }
    return this.request(new URL(webhook.url), { method: 'POST', headers, body: delivery.body, signal })
  }

  /** Sends a request that is not signed. */
  async request(url: URL, request: OutboundRequest): Promise<Outcome> {
    return this.attempt(async () => {
      const { status, headers } = await this.http.send(url, {
        ...request,
        headers: { 'user-agent': 'Bearing-Webhooks/1', ...request.headers },
      })
      const accepted = status >= 200 && status < 300
      const afterMs = retryAfterMs(headers.get('retry-after'), this.clock.nowMs())
      return { accepted, status, error: accepted ? null : 'status', retryAfterMs: afterMs }
    })
  }

  /** Sends bytes over TLS, without a protocol that answers: it is accepted when the receiver has read to their end. */
  async pour(
    url: URL,
    bytes: Uint8Array,
    how: { readonly ca?: string | undefined; readonly signal?: AbortSignal },
  ): Promise<Outcome> {
    return this.attempt(async () => {
      await this.http.pour(url, bytes, how)
      return { accepted: true, status: null, error: null, retryAfterMs: 0 }
    })
  }

  private async attempt(send: () => Promise<Omit<Outcome, 'durationMs'>>): Promise<Outcome> {
    const startedMs = performance.now()
    const durationMs = () => Math.round(performance.now() - startedMs)
    try {
      return { ...(await send()), durationMs: durationMs() }
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause
      // Bodies of replies are not read, so `too_large` does not happen here.
      // `not_allowed` would show which names exist in the network of the installation; only the metric has it.
      const error = cause.reason === 'timeout' ? 'timeout' : 'unreachable'
      return { accepted: false, status: null, error, durationMs: durationMs(), retryAfterMs: 0 }
    }
  }
}
