import { changeWebhook, DATA_EVENT } from '@bearing/contracts/management/webhook'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { recordAudit } from '../ground/record-audit.js'
import { requireDataPermission } from './require-data-permission.js'
import { WebhookHttp } from './webhook-http.js'
import { SHOWN, rowOf, toWebhook, webhookNotFound } from './webhook-row.js'

@Controller()
export class ChangeWebhook {
  constructor(
    private readonly database: Database,
    private readonly http: WebhookHttp,
    private readonly clock: Clock,
  ) {}

  @Handle(changeWebhook)
  async execute(input: Input<typeof changeWebhook>, by: Principal): Promise<Output<typeof changeWebhook>> {
    const { url, description, events, paused } = input
    if (url !== undefined) this.http.refuseInput(url)
    const now = this.clock.now()
    const row = await this.database.transaction(async (transaction) => {
      const before = await transaction.webhook.findUnique({ where: rowOf(input), select: SHOWN })
      if (!before) throw webhookNotFound()
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
          ...(paused === true && !before.pausedAt && { pausedAt: now, pausedReason: 'by_user' }),
          // A resumed webhook gets the full time again before it is paused.
          ...(paused === false && { pausedAt: null, pausedReason: null, failingSince: null }),
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
          events: changed.events,
          events_before: before.events,
          paused: changed.pausedAt !== null,
          paused_before: before.pausedAt !== null,
        },
      })
      return changed
    })
    return toWebhook(row, now)
  }
}
