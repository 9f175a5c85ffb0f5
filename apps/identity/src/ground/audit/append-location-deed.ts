import { appendAuditDeed } from '@bearing/contracts/identity/audit-log'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { AuditChain } from './audit-chain.js'
import { fromDeed } from './audit-entry.js'

@Controller()
export class AppendLocationDeed {
  constructor(
    private readonly database: Database,
    private readonly chain: AuditChain,
  ) {}

  @Handle(appendAuditDeed.location)
  async execute(
    deed: Input<typeof appendAuditDeed.location>,
  ): Promise<Output<typeof appendAuditDeed.location>> {
    await this.database.transaction((transaction) =>
      this.chain.appendOnce(transaction, fromDeed(deed), 'location'),
    )
    return {}
  }
}
