import { readAuditEntries } from '@bearing/contracts/identity/audit/audit-checkpoint'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Horizon } from '@bearing/service/store/horizon'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { toEntry } from './audit-entry.js'

@Controller()
export class ReadAuditEntries {
  private readonly horizon: Horizon

  constructor(private readonly database: Database) {
    this.horizon = new Horizon(database, 'audit_positions')
  }

  @Handle(readAuditEntries)
  async execute(input: Input<typeof readAuditEntries>): Promise<Output<typeof readAuditEntries>> {
    const { organization_id: chain, after, limit } = input
    if (chain === null) return this.readAll(after, limit)
    const [rows, head, checkpoint] = await Promise.all([
      this.database.auditEntry.findMany({
        where: { chain, sequence: { gt: after } },
        orderBy: { sequence: 'asc' },
        take: limit,
      }),
      this.database.auditChain.findUnique({ where: { id: chain } }),
      this.newestCheckpoint(chain),
    ])
    return {
      data: rows.map(toEntry),
      positions: rows.map(({ sequence }) => Number(sequence)),
      length: Number(head?.length ?? 0),
      checkpoints: checkpoint ? [checkpoint.note] : [],
    }
  }

  /** Reads up to the horizon: a row that commits later has a later position. */
  private async readAll(after: number, limit: number): Promise<Output<typeof readAuditEntries>> {
    const end = await this.horizon.read()
    const rows = await this.database.auditEntry.findMany({
      where: { position: { gt: after, lte: end } },
      orderBy: { position: 'asc' },
      take: limit,
    })
    const chains = [...new Set(rows.flatMap(({ chain }) => chain ?? []))]
    const checkpoints = await Promise.all(chains.map((chain) => this.newestCheckpoint(chain)))
    return {
      data: rows.map(toEntry),
      positions: rows.map(({ position }) => Number(position)),
      length: Number(end),
      checkpoints: checkpoints.flatMap((checkpoint) => checkpoint?.note ?? []),
    }
  }

  private newestCheckpoint(chain: string) {
    return this.database.auditCheckpoint.findFirst({ where: { chain }, orderBy: { size: 'desc' } })
  }
}
