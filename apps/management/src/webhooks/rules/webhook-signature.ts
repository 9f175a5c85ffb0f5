import { createHmac } from 'node:crypto'

/** Bytes of a new secret. Standard Webhooks has 24 to 64. */
export const WEBHOOK_SECRET_BYTES = 32

/** A secret as its receiver is shown it (Standard Webhooks): the prefix, and base64. */
export function webhookSecretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`
}

/**
 * The headers of a delivery, as Standard Webhooks has them: HMAC-SHA-256 over id, time and body, once with each secret.
 *
 * @param id the same in every attempt, so that a receiver knows what it has had already
 * @param at when it is sent: a receiver refuses what is much older, which somebody may have recorded
 */
export function webhookHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly Uint8Array[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
