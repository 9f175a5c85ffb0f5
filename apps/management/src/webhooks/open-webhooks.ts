import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import type { Metrics } from '@bearing/service/metrics'
import type { Randomness } from '@bearing/service/randomness'
import { SecretBox } from '@bearing/service/secret-box'
import type { Values } from '@bearing/service/settings'
import type { AuditLog } from '../ground/audit/audit-log.js'
import type { CONFIG } from '../config.js'
import type { Database } from '../ground/database.js'
import { Deliver } from './delivery-worker.js'
import { DueDeliveries } from './due-deliveries.js'
import { NoteAttempt } from './record-attempt.js'
import { SendDelivery } from './send-delivery.js'
import { SweepDeliveries } from './sweep-deliveries.js'
import { WebhookHttp } from './webhook-http.js'
import { WebhookSecrets } from './webhook-secrets.js'

/** Beside the time limit of an attempt, after which it counts for lost, in milliseconds: for what is written down then. */
const LEASE_MARGIN_MS = 20_000

/** What is needed of a process. */
interface Surroundings {
  readonly database: Database
  readonly clock: Clock
  readonly randomness: Randomness
  readonly audit: AuditLog
  readonly logger: Logger
  readonly metrics: Metrics
}

/** What webhooks work with, and what goes on by itself. */
export function openWebhooks(
  { database, clock, randomness, audit, logger, metrics }: Surroundings,
  settings: Values<typeof CONFIG>,
) {
  const { WEBHOOK_PRIVATE_RANGES: ranges, WEBHOOK_TIMEOUT_MS: timeoutMs } = settings
  const http = new WebhookHttp(ranges, timeoutMs, metrics.outgoing('webhook'))
  const box = new SecretBox(settings.MANAGEMENT_SECRET_KEYS, randomness.bytes)
  const secrets = new WebhookSecrets(box, randomness)
  const sender = new SendDelivery(http, secrets, clock)
  const due = new DueDeliveries(database, clock, timeoutMs + LEASE_MARGIN_MS)
  const notes = new NoteAttempt(database, audit, clock, randomness, {
    delaysMs: settings.WEBHOOK_RETRY_DELAYS_S,
    pauseAfterMs: settings.WEBHOOK_PAUSE_AFTER_S * 1_000,
  })
  return {
    parts: { http, secrets, sender },
    repeated: [new Deliver(due, sender, notes, logger), new SweepDeliveries(database, clock, logger)],
  }
}
