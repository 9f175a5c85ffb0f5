import { listAuditChains } from '@bearing/contracts/identity/audit/audit-log'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { NO_ORGANIZATION } from './audit-entry.js'

/** Chains in one response. */
const PAGE_CHAINS = 200

interface ChainRow {
  readonly id: string
  readonly length: bigint | null
  readonly head_hash: Uint8Array | null
}

@Controller()
export class ListAuditChains {
  constructor(private readonly database: Database) {}

  /** Finds chains by their rows too, so that a chain whose head was deleted is listed. */
  @Handle(listAuditChains)
  async execute({ cursor }: Input<typeof listAuditChains>): Promise<Output<typeof listAuditChains>> {
    // Skips from chain to chain in the index instead of reading every row.
    const rows = await this.database.$queryRaw<ChainRow[]>`
      WITH RECURSIVE stepped (id, n) AS (
        (SELECT chain, 1 FROM audit_log WHERE chain > ${cursor ?? null}::uuid OR (${cursor ?? null}::uuid IS NULL AND chain IS NOT NULL)
         ORDER BY chain LIMIT 1)
        UNION ALL
        SELECT (SELECT chain FROM audit_log WHERE chain > stepped.id ORDER BY chain LIMIT 1), n + 1
        FROM stepped WHERE id IS NOT NULL AND n < ${PAGE_CHAINS}
      ), headed AS (
        SELECT id FROM audit_chains WHERE ${cursor ?? null}::uuid IS NULL OR id > ${cursor ?? null}::uuid
        ORDER BY id LIMIT ${PAGE_CHAINS}
      )
      SELECT found.id, length, head_hash
      FROM (SELECT id FROM stepped WHERE id IS NOT NULL UNION SELECT id FROM headed) AS found
      LEFT JOIN audit_chains USING (id)
      ORDER BY found.id LIMIT ${PAGE_CHAINS}`
    const unchained = await this.unchained(rows.map(({ id }) => organizationOf(id)))
    return {
      data: rows.map(({ id, length, head_hash }) => ({
        organization_id: organizationOf(id),
        length: Number(length ?? 0),
        hash: head_hash && Buffer.from(head_hash).toString('hex'),
        unchained: unchained.get(organizationOf(id)) ?? 0,
      })),
      next: rows.length < PAGE_CHAINS ? null : (rows.at(-1)?.id ?? null),
    }
  }

  private async unchained(
    organizations: readonly (string | null)[],
  ): Promise<ReadonlyMap<string | null, number>> {
    const ids = organizations.filter((id) => id !== null)
    const counts = await this.database.auditEntry.groupBy({
      by: ['organizationId'],
      where: { chain: null, OR: [{ organizationId: { in: ids } }, { organizationId: null }] },
      _count: true,
    })
    return new Map(counts.map(({ organizationId, _count }) => [organizationId, _count]))
  }
}

function organizationOf(chain: string): string | null {
  return chain === NO_ORGANIZATION ? null : chain
}
