import { AUDIT_FORMAT, entryHash } from '@bearing/access/audit-chain'
import type { AuditEntry } from '@bearing/contracts/identity/audit-log'
import type { AuditRow } from '@bearing/service/audit-row'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.js'
import { toAuditEvent } from '@bearing/service/audit-event'
import { chainOf } from './audit-entry.js'

/** The end of a chain, as the database has it. */
interface Head {
  readonly length: bigint
  readonly head_hash: Uint8Array | null
}

/** Appends rows to the audit log: each to the chain of its organization, with the hash of the row before it. */
@Injectable()
export class AuditChain {
  /**
   * Appends one row. Until the transaction ends, whoever else appends to this chain waits: do it last of all
   * ({@link import('../database.js').beforeCommit}).
   */
  async append(transaction: Transaction, row: AuditRow, service: string): Promise<void> {
    const head = await takeHead(transaction, row)
    await write(transaction, row, service, head)
  }

  /** Appends a row that another service has made, unless it is there already. */
  async appendOnce(transaction: Transaction, row: AuditRow, service: string): Promise<void> {
    const head = await takeHead(transaction, row)
    // Nobody else can append it now: it belongs to this chain.
    if (await transaction.auditEntry.findUnique({ where: { id: row.id }, select: { id: true } })) return
    await write(transaction, row, service, head)
  }
}

/** Locks the end of the chain, and makes it where the chain is new: in one step, so that no two make it. */
async function takeHead(transaction: Transaction, row: AuditRow): Promise<Head> {
  const [head] = await transaction.$queryRaw<Head[]>`
    INSERT INTO audit_chains AS known (id, length) VALUES (${chainOf(row)}::uuid, 0)
    ON CONFLICT (id) DO UPDATE SET length = known.length
    RETURNING length, head_hash`
  if (!head) throw new Error('unreachable: the statement returns the row that it writes')
  return head
}

async function write(transaction: Transaction, row: AuditRow, service: string, head: Head): Promise<void> {
  const chain = chainOf(row)
  const sequence = Number(head.length) + 1
  const unhashed: Omit<AuditEntry, 'hash'> = {
    ...toAuditEvent(row),
    format: AUDIT_FORMAT,
    service,
    sequence,
    previous_hash: head.head_hash && Buffer.from(head.head_hash).toString('hex'),
  }
  const hash = Buffer.from(entryHash(unhashed), 'hex')
  await transaction.$executeRaw`
    WITH appended AS (
      INSERT INTO audit_log (
        id, organization_id, actor_kind, actor_credential_id, actor_user_id, actor_service, action, target, details,
        address, request_id, at, service, chain, sequence, format, previous_hash, hash
      ) VALUES (
        ${row.id}::uuid, ${row.organizationId}::uuid, ${row.actorKind}, ${row.actorCredentialId}::uuid,
        ${row.actorUserId}::uuid, ${row.actorService}, ${row.action}, ${row.target}, ${JSON.stringify(row.details)}::jsonb,
        ${row.address}, ${row.requestId}, ${row.at}::timestamptz, ${service}, ${chain}::uuid, ${sequence}, 1,
        ${head.head_hash}, ${hash}
      )
    )
    UPDATE audit_chains SET length = ${sequence}, head_hash = ${hash} WHERE id = ${chain}::uuid`
}
