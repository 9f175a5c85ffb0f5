import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { UsageError } from '../usage-error.js'

/** The longest that a receiver may take, in milliseconds, as for webhooks. */
const TIMEOUT_MS = 10_000

/** What became of a delivery. */
export interface Delivered {
  /** Its `webhook-id`. */
  readonly id: string
  /** Status of the reply. Null: there was none. */
  readonly status: number | null
  readonly duration_ms: number
}

/**
 * Returns the URL of a receiver on this machine.
 *
 * @param text a port, or a URL whose host is this machine
 * @throws UsageError if it is neither: events would leave the machine, perhaps without TLS
 */
export function localReceiver(text: string): URL {
  const url = URL.parse(/^\d{1,5}$/.test(text) ? `http://127.0.0.1:${text}/` : text)
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  )
    return url
  throw new UsageError(
    'The receiver must be on this machine: a port such as 9797, or a URL such as http://localhost:9797/hooks.',
    'For another machine create a webhook: "bearing webhooks create <url>".',
  )
}

/** Sends bodies to a receiver on this machine, signed as Standard Webhooks specifies, with a secret of its own. */
export class LocalDelivery {
  private readonly key = randomBytes(32)
  /** The secret for the receiver. */
  readonly secret = `whsec_${this.key.toString('base64')}`

  constructor(
    private readonly receiver: URL,
    private readonly nowMs: () => number,
  ) {}

  /** Sends a body once. @param signal ends it */
  async send(body: string, signal: AbortSignal): Promise<Delivered> {
    const id = randomUUID()
    const timestamp = String(Math.floor(this.nowMs() / 1_000))
    const signature = createHmac('sha256', this.key).update(`${id}.${timestamp}.${body}`).digest('base64')
    const startedMs = performance.now()
    const status = await fetch(this.receiver, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Bearing-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).then(
      async (reply) => {
        await reply.body?.cancel()
        return reply.status
      },
      () => null,
    )
    signal.throwIfAborted()
    return { id, status, duration_ms: Math.round(performance.now() - startedMs) }
  }
}
