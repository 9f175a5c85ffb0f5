import { OperationError, invalidInput } from '@bearing/contracts/errors'
import { changeWebhook, DATA_EVENT } from '@bearing/contracts/management/webhook'
import { ALL_AUDIT_EVENT, AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { recordAudit } from '../ground/record-audit.js'
import { requireBucket } from './put-url.js'
import { requireAuditPermission, requireDataPermission } from './require-data-permission.js'
import { WebhookHttp } from './webhook-http.js'
import { SHOWN, rowOf, toWebhook, webhookNotFound } from './webhook-row.js'
import { WebhookSecrets, isAuditSink } from './webhook-secrets.js'

@Controller()
export class ChangeWebhook {
  constructor(
    private readonly database: Database,
    private readonly http: WebhookHttp,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  @Handle(changeWebhook)
  async execute(input: Input<typeof changeWebhook>, by: Principal): Promise<Output<typeof changeWebhook>> {
    const { url, description, events, paused, destination } = input
    const now = this.clock.now()
    const row = await this.database.transaction(async (transaction) => {
      const before = await transaction.webhook.findUnique({ where: rowOf(input), select: SHOWN })
      if (!before) throw webhookNotFound()
      if (url !== undefined) this.http.refuseInput(url, before.kind)
      requireAuditPermission(by, before.events, input)
      refuseOtherKind(before, input)
      if (before.events.includes(ALL_AUDIT_EVENT) && (url !== undefined || destination !== undefined))
        throw new OperationError(
          'permission_denied',
          'This sink receives the audit log of all organizations. Only an operator can send it elsewhere: create another one.',
        )
      if (events !== undefined || url !== undefined) requireDataPermission(by, events ?? before.events, input)
      // Another URL must not receive what was queued for this one.
      if (events && !events.includes(DATA_EVENT))
        await transaction.webhookDelivery.deleteMany({ where: { webhookId: before.id, event: DATA_EVENT } })
      if (events?.includes(DATA_EVENT) && !before.events.includes(DATA_EVENT))
        await transaction.$executeRaw`UPDATE webhooks SET data_position = DEFAULT, data_at = DEFAULT WHERE id = ${before.id}::uuid`
      const changed = await transaction.webhook.update({
        where: { id: before.id },
        data: {
          // Another URL may work.
          ...(url !== undefined && { url, ...(url !== before.url && { failingSince: null }) }),
          ...(description !== undefined && { description }),
          ...(events && { events }),
          ...(destination && this.secrets.createFor(before.id, destination).stored),
          ...(paused === true && before.pausedReason === null && { pausedAt: now, pausedReason: 'by_user' }),
          // A resumed webhook gets the full time again before it is paused.
          ...(paused === false && { pausedReason: null, failingSince: null }),
          ...(paused === false && before.kind === 'webhook' && { pausedAt: null }),
        },
        select: SHOWN,
      })
      recordAudit(transaction, by, {
        action: 'webhook.changed',
        target: ['webhook', changed.id],
        organizationId: input.organization_id,
        details: {
          project_id: input.project_id,
          host: new URL(changed.url).host,
          host_before: new URL(before.url).host,
          url_changed: changed.url !== before.url,
          credentials_changed: destination !== undefined,
          events: changed.events,
          events_before: before.events,
          paused: changed.pausedReason !== null,
          paused_before: before.pausedReason !== null,
        },
      })
      return changed
    })
    return toWebhook(row, now)
  }
}

/** @throws OperationError `invalid_input` where a change would make another kind of it, or send its credentials elsewhere */
function refuseOtherKind(
  before: { readonly kind: string; readonly url: string; readonly events: readonly string[] },
  { url, events, destination }: Input<typeof changeWebhook>,
): void {
  const isOwn = before.kind === 's3' || before.kind === 'device_api'
  const isSink = before.events.includes(AUDIT_EVENT)
  if (destination && (!isOwn || destination.kind !== before.kind || isAuditSink(destination) !== isSink))
    throw invalidInput('/destination', `must not be given for this webhook, whose kind is ${before.kind}`)
  if (isOwn && url !== undefined && url !== before.url && !destination)
    throw invalidInput(
      '/destination',
      'must be given with another URL: its credentials were for the former one',
    )
  if (before.kind === 's3' && url !== undefined) requireBucket(url)
  if (before.kind !== 'webhook' && events && events.join() !== before.events.join())
    throw invalidInput('/events', `must be left out: the kind of the webhook is ${before.kind}`)
}
