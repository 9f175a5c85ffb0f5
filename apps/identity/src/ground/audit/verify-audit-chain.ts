import { followChain, type ChainEnd } from '@bearing/access/audit-chain'
import { verifyAuditChain, type AuditFault } from '@bearing/contracts/identity/audit/audit-log'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../database.js'
import type { AuditEntry } from '../../generated/prisma/client.js'
import { NO_ORGANIZATION, toEntry } from './audit-entry.js'

@Controller()
export class VerifyAuditChain {
  constructor(private readonly database: Database) {}

  /** Reads rows and head in one snapshot, since others append meanwhile. */
  @Handle(verifyAuditChain)
  async execute(input: Input<typeof verifyAuditChain>): Promise<Output<typeof verifyAuditChain>> {
    const chain = input.chain ?? NO_ORGANIZATION
    const [rows, head] = await this.database.transaction(
      (transaction) => read(transaction, chain, input.after.length, input.limit),
      { isolationLevel: 'RepeatableRead' },
    )
    const { end, fault } = await followChain(input.after, rows.map(toEntry))
    const done = rows.length < input.limit
    return { after: end, done, fault: fault ?? (done ? wrongEnd(end, head) : null) }
  }
}

async function read(
  transaction: Transaction,
  chain: string,
  after: number,
  limit: number,
): Promise<[AuditEntry[], ChainEnd]> {
  const rows = await transaction.auditEntry.findMany({
    where: { chain, sequence: { gt: after } },
    orderBy: { sequence: 'asc' },
    take: limit,
  })
  const head = await transaction.auditChain.findUnique({ where: { id: chain } })
  const hash = head?.headHash ? Buffer.from(head.headHash).toString('hex') : null
  return [rows, { length: Number(head?.length ?? 0), hash }]
}

/** Compares the end of the rows with the head of the chain. */
function wrongEnd(end: ChainEnd, head: ChainEnd): AuditFault | null {
  if (end.length < head.length) return { sequence: end.length + 1, id: null, fault: 'missing' }
  if (end.length > head.length) return { sequence: head.length + 1, id: null, fault: 'beyond' }
  return end.hash === head.hash ? null : { sequence: Math.max(1, end.length), id: null, fault: 'changed' }
}
