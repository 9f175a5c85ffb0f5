import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { withoutProxy } from '../ground/proxy.js'
import { UsageError } from '../ground/usage-error.js'

/** The longest that a receiver may take, in milliseconds, as for webhooks. */
const TIMEOUT_MS = 10_000
/** Begins every secret of a webhook. */
const PREFIX = 'whsec_'

/** Outcome of a delivery. */
export interface Delivered {
  /** Its `webhook-id`. */
  readonly id: string
  /** Status of the reply. Null: there was none. */
  readonly status: number | null
  /** Cause of a missing reply: nothing listens there, it took too long, or the connection broke. Null: there was one. */
  readonly error: 'refused' | 'timeout' | 'broken' | null
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

/** Returns a new secret of the form that webhooks have. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`
}

/** Sends bodies to a receiver on this machine, signed as Standard Webhooks specifies. */
export class LocalDelivery {
  private readonly key: Buffer

  /**
   * @param secret `whsec_` and 24 to 64 bytes in base64
   * @throws UsageError if it is no such secret
   */
  constructor(
    private readonly receiver: URL,
    secret: string,
    private readonly nowMs: () => number,
  ) {
    const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(secret) ?? []
    this.key = Buffer.from(encoded, 'base64')
    if (this.key.length < 24 || this.key.length > 64)
      throw new UsageError(
        'The secret must be "whsec_" and 24 to 64 bytes in base64.',
        `Without --secret the command makes one. So does: echo "whsec_$(openssl rand -base64 32)"`,
      )
  }

  /** Sends a body once. @param signal ends it */
  async send(body: string, signal: AbortSignal): Promise<Delivered> {
    const id = randomUUID()
    const timestamp = String(Math.floor(this.nowMs() / 1_000))
    const signature = createHmac('sha256', this.key).update(`${id}.${timestamp}.${body}`).digest('base64')
    const startedMs = performance.now()
    const result = await fetch(this.receiver, {
      dispatcher: await withoutProxy(),
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
        return { status: reply.status, error: null }
      },
      (failure: unknown) => ({ status: null, error: errorOf(failure) }),
    )
    signal.throwIfAborted()
    return { id, ...result, duration_ms: Math.round(performance.now() - startedMs) }
  }
}

/** @param failure what `fetch` throws */
function errorOf(failure: unknown): Delivered['error'] {
  const { name, cause } = failure as { name?: string; cause?: { code?: string } }
  if (name === 'TimeoutError') return 'timeout'
  return cause?.code === 'ECONNREFUSED' ? 'refused' : 'broken'
}
