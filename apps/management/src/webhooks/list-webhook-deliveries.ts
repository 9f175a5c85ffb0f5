import { listWebhookDeliveries } from '@bearing/contracts/management/webhook'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { requireWebhook, toDelivery } from './webhook-row.js'

@Controller()
export class ListWebhookDeliveries {
  constructor(private readonly database: Database) {}

  @Handle(listWebhookDeliveries)
  async execute(input: Input<typeof listWebhookDeliveries>): Promise<Output<typeof listWebhookDeliveries>> {
    await requireWebhook(this.database, input)
    const where = { webhookId: input.webhook_id }
    const [count, rows] = await Promise.all([
      this.database.webhookDelivery.count({ where }),
      this.database.webhookDelivery.findMany({
        where,
        omit: { body: true },
        orderBy: { id: 'desc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    return page(rows.map(toDelivery), count, input)
  }
}
