import { createHash } from 'node:crypto'
import type { AuditFault, AuditHead } from '@bearing/contracts/identity/audit-log'

/** The current format of hashed rows. */
export const AUDIT_FORMAT = 'bearing-audit-v1'

export type ChainEnd = Pick<AuditHead, 'length' | 'hash'>

export const CHAIN_START: ChainEnd = { length: 0, hash: null }

/** A row of a list or an export, with the members of its version. */
export interface ChainedRow {
  readonly id: string
  readonly sequence: number | null
  readonly previous_hash: string | null
  readonly hash: string | null
}

/**
 * Returns the hash of a row: SHA-256 of canonical JSON (RFC 8785) of all members except `hash`. `format` separates it from other
 * hashes of Bearing, and `previous_hash` links it to the row before.
 */
export function entryHash(row: object): string {
  const { hash: _, ...members } = row as { hash?: unknown }
  return createHash('sha256').update(canonicalJson(members)).digest('hex')
}

/** Checks that a row continues a chain, and returns the new end of the chain, or the fault. */
export function followChain(end: ChainEnd, row: ChainedRow): ChainEnd | AuditFault {
  const sequence = end.length + 1
  if (row.sequence !== sequence) return { sequence, id: null, fault: 'missing' }
  const fault = (what: AuditFault['fault']): AuditFault => ({ sequence, id: row.id, fault: what })
  // The content first: if it was changed, the link may be wrong because of that.
  if (entryHash(row) !== row.hash) return fault('changed')
  if (row.previous_hash !== end.hash) return fault('unlinked')
  return { length: sequence, hash: row.hash }
}

/** Returns canonical JSON (RFC 8785): members ordered by UTF-16 code units, no spaces, numbers as in ECMAScript. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`
}
