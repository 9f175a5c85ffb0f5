import { appendAuditEvent } from '@bearing/contracts/identity/audit-log'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { AuditChain } from './audit-chain.js'
import { fromAuditEvent } from './audit-entry.js'

@Controller()
export class AppendLocationAuditEvent {
  constructor(
    private readonly database: Database,
    private readonly chain: AuditChain,
  ) {}

  @Handle(appendAuditEvent.location)
  async execute(
    event: Input<typeof appendAuditEvent.location>,
  ): Promise<Output<typeof appendAuditEvent.location>> {
    await this.database.transaction((transaction) =>
      this.chain.appendOnce(transaction, fromAuditEvent(event), 'location'),
    )
    return {}
  }
}
