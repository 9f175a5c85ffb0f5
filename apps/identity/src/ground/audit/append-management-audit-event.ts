import { appendAuditEvent } from '@bearing/contracts/identity/audit-log'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { AuditChain } from './audit-chain.js'
import { fromAuditEvent } from './audit-entry.js'

@Controller()
export class AppendManagementAuditEvent {
  constructor(
    private readonly database: Database,
    private readonly chain: AuditChain,
  ) {}

  @Handle(appendAuditEvent.management)
  async execute(
    event: Input<typeof appendAuditEvent.management>,
  ): Promise<Output<typeof appendAuditEvent.management>> {
    await this.database.transaction((transaction) =>
      this.chain.appendOnce(transaction, fromAuditEvent(event), 'management'),
    )
    return {}
  }
}
