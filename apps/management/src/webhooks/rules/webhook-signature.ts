import { createHmac } from 'node:crypto'

/** Bytes of a new secret. Standard Webhooks has 24 to 64. */
export const WEBHOOK_SECRET_BYTES = 32

/** Returns the text of a secret for its receiver (Standard Webhooks). */
export function webhookSecretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`
}

/**
 * Returns the headers of a delivery (Standard Webhooks): HMAC-SHA-256 over id, time and body, one for each secret.
 *
 * @param id the same in every attempt, so that receivers can identify duplicates
 * @param at the time of the attempt: receivers refuse replayed deliveries by it
 */
export function webhookHeaders(
  id: string,
  at: Date,
  body: string | Uint8Array,
  secrets: readonly Uint8Array[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
