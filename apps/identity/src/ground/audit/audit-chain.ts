import { AUDIT_FORMAT, entryHash } from '@bearing/access/audit-chain'
import type { AuditEntry } from '@bearing/contracts/identity/audit/audit-log'
import { toAuditEvent } from '@bearing/service/audit/audit-event'
import type { AuditRow } from '@bearing/service/audit/audit-row'
import type { Transaction } from '../database.js'
import { lockChain, type ChainHead } from '../locks.js'
import { chainOf } from './audit-entry.js'

/** Appends a row to the chain of its organization, with the hash of the row before it. */
export async function append(transaction: Transaction, row: AuditRow, service: string): Promise<void> {
  await write(transaction, row, service, await lockChain(transaction, chainOf(row)))
}

/** Appends a row of another service, unless it was appended before. */
export async function appendOnce(transaction: Transaction, row: AuditRow, service: string): Promise<void> {
  const head = await lockChain(transaction, chainOf(row))
  if (await transaction.auditEntry.findUnique({ where: { id: row.id }, select: { id: true } })) return
  await write(transaction, row, service, head)
}

async function write(
  transaction: Transaction,
  row: AuditRow,
  service: string,
  head: ChainHead,
): Promise<void> {
  const chain = chainOf(row)
  const sequence = Number(head.length) + 1
  const unhashed: Omit<AuditEntry, 'hash'> = {
    ...toAuditEvent(row),
    format: AUDIT_FORMAT,
    service,
    sequence,
    previous_hash: head.hash && Buffer.from(head.hash).toString('hex'),
  }
  const hash = Buffer.from(await entryHash(unhashed), 'hex')
  await transaction.$executeRaw`
    WITH appended AS (
      INSERT INTO audit_log (
        id, organization_id, actor_kind, actor_credential_id, actor_user_id, actor_service, action, target, details,
        address, request_id, at, service, chain, sequence, format, previous_hash, hash
      ) VALUES (
        ${row.id}::uuid, ${row.organizationId}::uuid, ${row.actorKind}, ${row.actorCredentialId}::uuid,
        ${row.actorUserId}::uuid, ${row.actorService}, ${row.action}, ${row.target}, ${JSON.stringify(row.details)}::jsonb,
        ${row.address}, ${row.requestId}, ${row.at}::timestamptz, ${service}, ${chain}::uuid, ${sequence}, 1,
        ${head.hash}, ${hash}
      )
    )
    UPDATE audit_chains SET length = ${sequence}, head_hash = ${hash} WHERE id = ${chain}::uuid`
}
