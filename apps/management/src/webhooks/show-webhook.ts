import { showWebhook } from '@bearing/contracts/management/webhook'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { SHOWN, rowOf, toWebhook, webhookNotFound } from './webhook-row.js'

@Controller()
export class ShowWebhook {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(showWebhook)
  async execute(input: Input<typeof showWebhook>): Promise<Output<typeof showWebhook>> {
    const row = await this.database.webhook.findUnique({ where: rowOf(input), select: SHOWN })
    if (!row) throw webhookNotFound()
    return toWebhook(row, this.clock.now())
  }
}
