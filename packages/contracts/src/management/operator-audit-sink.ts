import { z } from 'zod'
import { operation } from '../operation.js'
import { Name, ProjectScope, orNull } from '../primitives.js'
import { WebhookUrl, WebhookWithSecret } from './webhook.js'
import { WebhookDestination } from './webhook-destination.js'

/** Sends the audit log of all organizations, and the events of none, to a destination. */
export const createAuditSink = operation({
  subject: 'management.v1.operator-audit-sink.create',
  summary: 'Send the audit log of all organizations to a sink of the operator',
  description:
    'The sink is a webhook of a project. Admins of its organization see, pause and delete it, and cannot send it elsewhere.',
  input: z.object({
    ...ProjectScope,
    url: WebhookUrl,
    description: orNull(Name),
    destination: WebhookDestination.describe('`source` must be `audit_log`.'),
  }),
  output: WebhookWithSecret,
  errors: ['project_not_found', 'too_many_webhooks'],
  permission: 'audit-log:verify',
})
