import { z } from 'zod'
import { operation } from '../operation.js'
import {
  Id,
  DEFAULT_GRACE_SECONDS,
  graceSeconds,
  IdempotencyKey,
  Name,
  Nothing,
  PageRequest,
  ProjectScope,
  Timestamp,
  pageOf,
  orNull,
} from '../primitives.js'
import { Period } from '../counts/usage.js'
import { WEBHOOK_KINDS, WebhookDestination } from './webhook-destination.js'
import { WebhookUsage } from './webhook-usage.js'

/** Events of webhooks. Only the first two are sent by default: positions of devices can be positions of people. */
export const WEBHOOK_EVENTS = [
  'device.first_seen',
  'coredump.uploaded',
  'device.location_resolved',
  'organization_token.expiring',
  'device.claimed',
  'device.key_revoked',
  'device.data_stored',
] as const
export const WebhookEvent = z.enum(WEBHOOK_EVENTS).meta({ id: 'WebhookEvent' })
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** The event of what devices send, in batches: it needs `device-data:read`. */
export const DATA_EVENT: WebhookEvent = 'device.data_stored'

/** The default of a new webhook. */
export const DEFAULT_EVENTS: WebhookEvent[] = ['device.first_seen', 'coredump.uploaded']

/** The event of a test delivery. */
export const TEST_EVENT = 'webhook.test'

/** The most webhooks of a project. */
export const MAX_WEBHOOKS = 20

/**
 * URL that events are sent to, or `tls://host:port` of a receiver of syslog. It has no user and no fragment; a secret in its path or query is shown to everyone who
 * may read webhooks.
 */
export const WebhookUrl = z
  .url({ protocol: /^(https?|tls)$/ })
  .max(2_048)
  .regex(/^(?:https?|tls):\/\/[^/?#@\\]+(?:[/?][^#]*)?$/i, 'must have neither user nor fragment')
  .meta({ example: 'https://hooks.example.com/bearing' })

/** The events to send, each once. */
export const WebhookEvents = z
  .array(WebhookEvent)
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .refine((events) => new Set(events).size === events.length, 'must name each event once')

/** A webhook: a URL that receives the events of a project. */
export const Webhook = z
  .object({
    id: Id,
    kind: z
      .enum(WEBHOOK_KINDS)
      .describe(
        'Where its URL leads: `webhook`: a receiver of events; `ndjson`: a receiver of compressed lines of JSON; `s3`: a bucket; `device_api`: another service for devices; `syslog`: a receiver of syslog.',
      ),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.string()),
    state: z
      .enum(['active', 'failing', 'paused'])
      .describe(
        '`failing`: the last attempt was not accepted; it is tried again. `paused`: nothing is sent, and nothing new is kept.',
      ),
    paused_reason: z
      .enum(['by_user', 'failing', 'gone'])
      .nullable()
      .describe(
        '`by_user`; `failing`: no attempt was accepted for days; `gone`: it answered 410. Null: it is not paused.',
      ),
    paused_at: Timestamp.nullable(),
    failing_since: Timestamp.nullable().describe(
      'Since when no attempt was accepted. Null: the last one was.',
    ),
    previous_secret_until: Timestamp.nullable().describe(
      'Until when deliveries are signed with the secret before this one, too. Null: with this one alone.',
    ),
    created_at: Timestamp,
  })
  .meta({ id: 'Webhook' })

/** A webhook with its secret, which is shown this once: `whsec_` and 32 bytes in base64. */
export const WebhookWithSecret = Webhook.extend({
  secret: z.string().describe('Empty for `s3`, `device_api` and `syslog`, whose deliveries are not signed.'),
}).meta({ id: 'WebhookWithSecret' })

/** Outcome of one event for one webhook, without the content of the request and of the reply. */
export const WebhookDelivery = z
  .object({
    id: Id.describe('The `webhook-id` of every attempt.'),
    event: z.string(),
    device_serial: z.string().nullable(),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().min(0).describe('Attempts so far, since it was queued or queued again.'),
    status: z.int().nullable().describe('Status of the last reply. Null: there was none.'),
    error: z
      .enum(['status', 'timeout', 'unreachable', 'not_allowed'])
      .nullable()
      .describe(
        'Why the last attempt was not accepted. Null: it was, or there was none. `unreachable` includes names of addresses that are not public; `not_allowed` is only in deliveries of earlier versions.',
      ),
    duration_ms: z.int().min(0).nullable().describe('How long the last attempt took.'),
    created_at: Timestamp,
    last_attempt_at: Timestamp.nullable(),
    next_attempt_at: Timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' })

const WebhookScope = { ...ProjectScope, webhook_id: Id }

export const listWebhooks = operation({
  subject: 'management.v1.webhook.list',
  summary: 'List the webhooks of a project',
  input: z.object({ ...ProjectScope, ...PageRequest }),
  output: pageOf(Webhook),
  errors: ['project_not_found'],
  permission: 'webhook:read',
})

export const showWebhook = operation({
  subject: 'management.v1.webhook.show',
  summary: 'Show a webhook',
  input: z.object(WebhookScope),
  output: Webhook,
  errors: ['webhook_not_found'],
  permission: 'webhook:read',
})

export const showWebhookUsage = operation({
  subject: 'management.v1.webhook.show-usage',
  summary: 'Show the attempts to deliver to a webhook, by hour or day and outcome',
  description: 'A delivery that is retried has several attempts. Counts are exact, and kept for 90 days.',
  input: z.object({ ...WebhookScope, period: Period.default('30d') }),
  output: WebhookUsage,
  errors: ['webhook_not_found'],
  permission: 'webhook:read',
})

export const createWebhook = operation({
  subject: 'management.v1.webhook.create',
  summary: 'Have the events of a project sent to an address',
  description:
    'Deliveries are signed as Standard Webhooks specifies, with the secret in this reply, which is shown only once. The default of `events` leaves out `device.location_resolved`, which reveals where devices are, and `device.data_stored`, which has what they send, and needs `device-data:read`.',
  input: z.object({
    ...ProjectScope,
    ...IdempotencyKey,
    url: WebhookUrl,
    description: orNull(Name),
    events: WebhookEvents.default(DEFAULT_EVENTS),
    destination: WebhookDestination.optional().describe(
      'Where the URL leads, if it is no receiver of events. Then `events` is `device.data_stored` alone, or `audit_log.recorded`.',
    ),
  }),
  output: WebhookWithSecret,
  errors: ['idempotency_conflict', 'permission_denied', 'project_not_found', 'too_many_webhooks'],
  permission: 'webhook:manage',
})

export const changeWebhook = operation({
  subject: 'management.v1.webhook.change',
  summary: 'Change, pause or resume a webhook',
  description:
    'Omitted fields stay as they are. While a webhook is paused nothing is sent and no new event is queued for it; queued events are sent when it is resumed, and what devices have sent meanwhile.',
  input: z.object({
    ...WebhookScope,
    url: WebhookUrl.optional(),
    description: Name.nullable().optional().describe('Null: it has none any more.'),
    events: WebhookEvents.optional(),
    paused: z.boolean().optional(),
    destination: WebhookDestination.optional().describe(
      'Other credentials, of the same kind. Needed with another URL, so that credentials stay where they were meant for.',
    ),
  }),
  output: Webhook,
  errors: ['permission_denied', 'webhook_not_found'],
  permission: 'webhook:manage',
})

export const rotateWebhook = operation({
  subject: 'management.v1.webhook.rotate',
  summary: 'Give a webhook a new secret',
  description:
    'Until the grace ends, deliveries are signed with the new secret and the one before, so that a receiver can switch at any time in between. Any older secret stops immediately.',
  input: z.object({
    ...WebhookScope,
    ...IdempotencyKey,
    grace_seconds: graceSeconds(DEFAULT_GRACE_SECONDS),
  }),
  output: WebhookWithSecret,
  errors: ['idempotency_conflict', 'webhook_not_found'],
  permission: 'webhook:manage',
})

export const deleteWebhook = operation({
  subject: 'management.v1.webhook.delete',
  summary: 'Delete a webhook and what waits for it',
  input: z.object(WebhookScope),
  output: Nothing,
  errors: ['webhook_not_found'],
  permission: 'webhook:manage',
  timeoutMs: 30_000,
})

export const testWebhook = operation({
  subject: 'management.v1.webhook.test',
  summary: 'Send a test event to a webhook, once, and return the outcome',
  input: z.object(WebhookScope),
  output: WebhookDelivery,
  errors: ['webhook_not_found'],
  permission: 'webhook:manage',
  timeoutMs: 40_000,
})

export const listWebhookDeliveries = operation({
  subject: 'management.v1.webhook-delivery.list',
  summary: 'List what became of the events of a webhook, the newest first',
  input: z.object({ ...WebhookScope, ...PageRequest }),
  output: pageOf(WebhookDelivery),
  errors: ['webhook_not_found'],
  permission: 'webhook:read',
})

/** The most deliveries that one call queues again. */
export const MAX_REDELIVERIES = 10_000

/** Number of failed deliveries that were queued again. */
export const Redelivery = z
  .object({
    redelivered: z.int().min(0).describe('Deliveries that were queued again.'),
    unavailable: z
      .int()
      .min(0)
      .describe('Failed deliveries that cannot be sent again, because their content is no longer stored.'),
    has_more: z
      .boolean()
      .describe(
        `Whether there may be more than these ${MAX_REDELIVERIES.toLocaleString('en')}. Repeat the call.`,
      ),
  })
  .meta({ id: 'WebhookRedelivery' })

export const redeliverWebhook = operation({
  subject: 'management.v1.webhook.redeliver',
  summary: 'Send failed deliveries of a webhook again',
  description:
    'Name either one delivery, or a time: then all deliveries are sent again that have failed since. They keep their `webhook-id`, and are attempted and retried like new ones. Delivered ones are not sent again, and the content of failed positions is not stored.',
  input: z.object({
    ...WebhookScope,
    delivery_id: Id.optional().describe('This delivery.'),
    since: Timestamp.optional().describe('All whose last attempt failed then or later.'),
  }),
  output: Redelivery,
  errors: ['webhook_not_found', 'delivery_not_found', 'delivery_unavailable'],
  permission: 'webhook:manage',
})
