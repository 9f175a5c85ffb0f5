import { createHash } from 'node:crypto'
import type { AuditFault, AuditHead } from '@bearing/contracts/identity/audit-log'

/** What the hash of a row is made of now. */
export const AUDIT_FORMAT = 'bearing-audit-v1'

/** How far a chain was followed. */
export type ChainEnd = Pick<AuditHead, 'length' | 'hash'>

/** Where every chain begins. */
export const CHAIN_START: ChainEnd = { length: 0, hash: null }

/** A row as it stands in a list or an export, with whatever members its version has. */
export interface ChainedRow {
  readonly id: string
  readonly sequence: number | null
  readonly previous_hash: string | null
  readonly hash: string | null
}

/**
 * The hash of a row: SHA-256 over all of its members but `hash`, as canonical JSON (RFC 8785) in UTF-8. The member
 * `format` is part of it, so that no other text of Bearing has the same hash; `previous_hash` ties it to the row before.
 *
 * @param row the row, with or without its `hash`
 * @returns 64 hexadecimal digits
 */
export function entryHash(row: object): string {
  const { hash: _, ...members } = row as { hash?: unknown }
  return createHash('sha256').update(canonicalJson(members)).digest('hex')
}

/**
 * Whether a row is the next one of a chain.
 *
 * @param end of the chain before it
 * @returns the end of the chain with it, or what is wrong
 */
export function followChain(end: ChainEnd, row: ChainedRow): ChainEnd | AuditFault {
  const sequence = end.length + 1
  if (row.sequence !== sequence) return { sequence, id: null, fault: 'missing' }
  const fault = (what: AuditFault['fault']): AuditFault => ({ sequence, id: row.id, fault: what })
  // The content first: where it was changed, the link may have been.
  if (entryHash(row) !== row.hash) return fault('changed')
  if (row.previous_hash !== end.hash) return fault('unlinked')
  return { length: sequence, hash: row.hash }
}

/** Canonical JSON (RFC 8785): members in the order of their UTF-16 code units, no spaces, numbers as ECMAScript has them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`
}
