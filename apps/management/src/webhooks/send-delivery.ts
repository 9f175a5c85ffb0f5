import { OutboundError } from '@bearing/outbound/guarded-http'
import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import { retryAfterMs } from './rules/webhook-retry.js'
import { webhookHeaders } from './rules/webhook-signature.js'
import { WebhookHttp } from './webhook-http.js'
import { WebhookSecrets, type StoredSecrets } from './webhook-secrets.js'

const FIXED_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Bearing-Webhooks/1' }

/** How an attempt went. Nothing of the reply is in it but its status. */
export interface Attempt {
  /** Whether the receiver has accepted it. */
  readonly accepted: boolean
  readonly status: number | null
  readonly error: 'status' | 'timeout' | 'unreachable' | 'not_allowed' | null
  readonly durationMs: number
  /** How long the receiver wants to be left alone, in milliseconds. */
  readonly askedMs: number
}

/** Sends a delivery, once. */
@Injectable()
export class SendDelivery {
  constructor(
    private readonly http: WebhookHttp,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /**
   * @param signal ends the attempt early
   * @throws OperationError `service_unavailable` where a key of ours is missing
   */
  async send(
    webhook: StoredSecrets & { readonly url: string },
    delivery: { readonly id: string; readonly body: string },
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const at = this.clock.now()
    const signed = webhookHeaders(delivery.id, at, delivery.body, this.secrets.open(webhook, at))
    const begunMs = performance.now()
    const took = () => Math.round(performance.now() - begunMs)
    try {
      const { status, headers } = await this.http.send(new URL(webhook.url), {
        method: 'POST',
        headers: { ...FIXED_HEADERS, ...signed },
        body: delivery.body,
        signal,
      })
      const accepted = status >= 200 && status < 300
      const askedMs = retryAfterMs(headers.get('retry-after'))
      return { accepted, status, error: accepted ? null : 'status', durationMs: took(), askedMs }
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause
      // What is too large is cut, so that is none of the reasons here.
      const error = cause.reason === 'too_large' ? 'unreachable' : cause.reason
      return { accepted: false, status: null, error, durationMs: took(), askedMs: 0 }
    }
  }
}
