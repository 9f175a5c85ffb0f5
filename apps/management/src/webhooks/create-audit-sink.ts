import { invalidInput } from '@bearing/contracts/errors'
import { createAuditSink } from '@bearing/contracts/management/operator-audit-sink'
import { ALL_AUDIT_EVENT, AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { NewWebhook } from './new-webhook.js'
import { isAuditSink } from './webhook-secrets.js'

/** Creates the sink of an operator, which receives the audit log of all organizations. */
@Controller()
export class CreateAuditSink {
  constructor(
    private readonly database: Database,
    private readonly webhooks: NewWebhook,
  ) {}

  @Handle(createAuditSink)
  async execute(
    input: Input<typeof createAuditSink>,
    by: Principal,
  ): Promise<Output<typeof createAuditSink>> {
    this.webhooks.refuseUrl(input)
    if (!isAuditSink(input.destination)) throw invalidInput('/destination/source', 'must be audit_log')
    return this.database.transaction((transaction) =>
      this.webhooks.create(transaction, input, [AUDIT_EVENT, ALL_AUDIT_EVENT], by),
    )
  }
}
