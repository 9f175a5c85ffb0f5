import type { CallOutput } from '@bearing/client/call-types'
import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import { ALL_AUDIT_EVENT, AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import { calling } from '../ground/calling.js'
import { queryClient } from '../ground/query-client.js'

export type Webhook = CallOutput<'showWebhook'>
export type Delivery = CallOutput<'testWebhook'>

/** The events, in words. The first two are sent by default. */
export const EVENTS: readonly { readonly id: WebhookEvent; readonly text: string; readonly hint: string }[] =
  [
    { id: 'device.first_seen', text: 'A device is new', hint: 'It has sent data for the first time.' },
    { id: 'coredump.uploaded', text: 'A coredump was uploaded', hint: 'Without its content.' },
    {
      id: 'device.location_resolved',
      text: 'A position was determined',
      hint: 'If the project stores positions. It reveals where devices are.',
    },
    {
      id: 'organization_token.expiring',
      text: 'An organization token is about to expire',
      hint: '7 days and 1 day before.',
    },
    { id: 'device.claimed', text: 'A device claimed a key', hint: 'It is registered.' },
    {
      id: 'device.key_revoked',
      text: 'A key of a device was revoked',
      hint: 'Not if the device is deleted.',
    },
    {
      id: 'device.data_stored',
      text: 'Everything that devices send',
      hint: 'Chunks with their content, and files without, in batches and in order.',
    },
  ]

export const DEFAULT_EVENTS: readonly WebhookEvent[] = ['device.first_seen', 'coredump.uploaded']

/** Kinds of destinations. */
export const KINDS = [
  { id: 'webhook', text: 'A receiver of events', hint: 'Signed JSON, a request for each event.' },
  { id: 'ndjson', text: 'A receiver of batches', hint: 'Signed lines of JSON, compressed by gzip.' },
  {
    id: 's3',
    text: 'A bucket (S3)',
    hint: 'The URL is the server, the bucket and a prefix: https://s3.eu-central-1.amazonaws.com/bucket/prefix',
  },
  {
    id: 'device_api',
    text: 'Another service for devices',
    hint: 'The URL is what comes before /api/v0. Chunks and files are sent there as devices have sent them.',
  },
  {
    id: 'syslog',
    text: 'A receiver of syslog',
    hint: 'RFC 5424 over TLS. The URL is tls://host:port. It receives the audit log.',
  },
] as const satisfies readonly { id: Webhook['kind']; text: string; hint: string }[]

/** Returns true if deliveries to it are signed. */
export const isSigned = ({ kind }: Webhook) => kind === 'webhook' || kind === 'ndjson'

/** Returns an event in words. */
export function eventText(event: string): string {
  if (event === 'webhook.test') return 'Test'
  if (event === AUDIT_EVENT) return 'The audit log'
  if (event === ALL_AUDIT_EVENT) return 'The audit log of all organizations'
  return EVENTS.find(({ id }) => id === event)?.text ?? event
}

export const webhookOf = (organization: string, project: string, webhook_id: string) =>
  calling(['webhook', organization, project, webhook_id], 'showWebhook', {
    organization,
    project,
    webhook_id,
  })

/** Reads webhooks again, after a change. */
export async function rereadWebhooks(): Promise<void> {
  await Promise.all(
    ['webhooks', 'webhook', 'deliveries'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  )
}

const REASONS = {
  by_user: 'A user paused it.',
  failing: 'Its receiver has accepted nothing for three days.',
  gone: 'Its receiver answered 410 Gone.',
} as const

/** Returns why nothing is sent; undefined if something is. */
export function pauseReason({ state, paused_reason }: Webhook): string | undefined {
  if (state !== 'paused') return undefined
  return paused_reason === null ? 'It is paused.' : REASONS[paused_reason]
}

const FAULTS = {
  status: 'refused',
  timeout: 'no answer within 10 s',
  unreachable: 'could not be reached',
  not_allowed: 'URL not allowed',
} as const

/** Returns what the receiver answered last. */
export function answerOf({ status, error }: Delivery): string {
  return [status === null ? undefined : String(status), error === null ? undefined : FAULTS[error]]
    .filter((part) => part !== undefined)
    .join(', ')
}
