import { appendAuditEvent } from '@bearing/contracts/identity/audit/audit-append'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { appendOnce } from './audit-chain.js'
import { fromAuditEvent } from './audit-entry.js'

/** Appends audit events of other services. Each service has a subject of its own, so none can write as another one. */
@Controller()
export class AppendAuditEvents {
  constructor(private readonly database: Database) {}

  @Handle(appendAuditEvent.location)
  async location(
    event: Input<typeof appendAuditEvent.location>,
  ): Promise<Output<typeof appendAuditEvent.location>> {
    await this.database.transaction((transaction) =>
      appendOnce(transaction, fromAuditEvent(event), 'location'),
    )
    return {}
  }

  @Handle(appendAuditEvent.management)
  async management(
    event: Input<typeof appendAuditEvent.management>,
  ): Promise<Output<typeof appendAuditEvent.management>> {
    await this.database.transaction((transaction) =>
      appendOnce(transaction, fromAuditEvent(event), 'management'),
    )
    return {}
  }
}
