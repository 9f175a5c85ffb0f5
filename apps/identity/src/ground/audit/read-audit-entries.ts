import { readAuditEntries } from '@bearing/contracts/identity/audit/audit-checkpoint'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { toEntry } from './audit-entry.js'

@Controller()
export class ReadAuditEntries {
  constructor(private readonly database: Database) {}

  @Handle(readAuditEntries)
  async execute(input: Input<typeof readAuditEntries>): Promise<Output<typeof readAuditEntries>> {
    const { organization_id: chain, after, limit } = input
    const [rows, head, checkpoint] = await Promise.all([
      this.database.auditEntry.findMany({
        where: { chain, sequence: { gt: after } },
        orderBy: { sequence: 'asc' },
        take: limit,
      }),
      this.database.auditChain.findUnique({ where: { id: chain } }),
      this.database.auditCheckpoint.findFirst({ where: { chain }, orderBy: { size: 'desc' } }),
    ])
    return {
      data: rows.map(toEntry),
      length: Number(head?.length ?? 0),
      checkpoint: checkpoint?.note ?? null,
    }
  }
}
