import { AUDIT_FORMAT, entryHash } from '@bearing/access/audit-chain'
import type { AuditEntry } from '@bearing/contracts/identity/audit/audit-log'
import { toAuditEvent } from '@bearing/service/audit/audit-event'
import type { AuditRow } from '@bearing/service/audit/audit-row'
import type { Transaction } from '../database.js'
import { lockChains, type ChainHead } from '../locks.js'
import { chainOf } from './audit-entry.js'

/** Appends rows to the chains of their organizations, each with the hash of the row before it. */
export async function append(
  transaction: Transaction,
  rows: readonly AuditRow[],
  service: string,
): Promise<void> {
  await write(transaction, rows, service, await lockChains(transaction, new Set(rows.map(chainOf))))
}

/** Appends a row of another service, unless it was appended before. */
export async function appendOnce(transaction: Transaction, row: AuditRow, service: string): Promise<void> {
  const heads = await lockChains(transaction, [chainOf(row)])
  if (await transaction.auditEntry.findUnique({ where: { id: row.id }, select: { id: true } })) return
  await write(transaction, [row], service, heads)
}

async function write(
  transaction: Transaction,
  rows: readonly AuditRow[],
  service: string,
  heads: readonly ChainHead[],
): Promise<void> {
  const ends = new Map(
    heads.map(({ id, length, hash }) => [id, { length: Number(length), hash: hexOf(hash) }]),
  )
  const entries: (AuditEntry & { readonly chain: string })[] = []
  for (const row of rows) {
    const chain = chainOf(row)
    const end = ends.get(chain)
    if (!end) throw new Error('unreachable: all chains are locked')
    const unhashed: Omit<AuditEntry, 'hash'> = {
      ...toAuditEvent(row),
      format: AUDIT_FORMAT,
      service,
      sequence: end.length + 1,
      previous_hash: end.hash,
    }
    const hash = await entryHash(unhashed)
    entries.push({ ...unhashed, chain, hash })
    ends.set(chain, { length: end.length + 1, hash })
  }
  await transaction.$executeRaw`
    WITH entry AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS entry (
        id uuid, organization_id uuid, actor_kind text, actor_credential_id uuid, actor_user_id uuid, actor_service text,
        action text, target text, details jsonb, address text, request_id text, at timestamptz, service text,
        chain uuid, sequence bigint, previous_hash text, hash text
      )
    ), appended AS (
      INSERT INTO audit_log (
        id, organization_id, actor_kind, actor_credential_id, actor_user_id, actor_service, action, target, details,
        address, request_id, at, service, chain, sequence, format, previous_hash, hash
      )
      SELECT id, organization_id, actor_kind, actor_credential_id, actor_user_id, actor_service, action, target, details,
             address, request_id, at, service, chain, sequence, 1, decode(previous_hash, 'hex'), decode(hash, 'hex')
      FROM entry
    )
    UPDATE audit_chains AS known SET length = last.sequence, head_hash = decode(last.hash, 'hex')
    FROM (SELECT DISTINCT ON (chain) chain, sequence, hash FROM entry ORDER BY chain, sequence DESC) AS last
    WHERE known.id = last.chain`
}

function hexOf(hash: Uint8Array | null): string | null {
  return hash && Buffer.from(hash).toString('hex')
}
