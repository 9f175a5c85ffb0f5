import { createWebhook, DATA_EVENT } from '@bearing/contracts/management/webhook'
import { AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { NewWebhook } from './new-webhook.js'
import { requireDataPermission } from './require-data-permission.js'
import { isAuditSink } from './webhook-secrets.js'

@Controller()
export class CreateWebhook {
  constructor(
    private readonly database: Database,
    private readonly webhooks: NewWebhook,
    private readonly calls: IdempotentCalls,
  ) {}

  @Handle(createWebhook)
  async execute(input: Input<typeof createWebhook>, by: Principal): Promise<Output<typeof createWebhook>> {
    this.webhooks.refuseUrl(input)
    const events = eventsOf(input)
    requireDataPermission(by, events, input)
    return this.database.transaction((transaction) =>
      this.calls.once(transaction, createWebhook, input, by, () =>
        this.webhooks.create(transaction, input, events, by),
      ),
    )
  }
}

/** A destination that is no plain webhook receives what devices send, or the audit log, and nothing else. */
function eventsOf({ destination, events }: Input<typeof createWebhook>): string[] {
  if (!destination) return events
  return isAuditSink(destination) ? [AUDIT_EVENT] : [DATA_EVENT]
}
