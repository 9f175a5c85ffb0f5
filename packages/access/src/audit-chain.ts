import type { AuditFault, AuditHead } from '@bearing/contracts/identity/audit/audit-log'

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
 * hashes of Bearing, and `previous_hash` links it to the row before. By the Web Crypto API, because browsers verify chains too.
 */
export async function entryHash(row: object): Promise<string> {
  const { hash: _, ...members } = row as { hash?: unknown }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(members)))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Checks that rows continue a chain. Returns its new end, and the first fault; null: there is none. */
export async function followChain(
  from: ChainEnd,
  rows: readonly ChainedRow[],
): Promise<{ readonly end: ChainEnd; readonly fault: AuditFault | null }> {
  const hashes = await Promise.all(rows.map(entryHash))
  let end = from
  for (const [at, row] of rows.entries()) {
    const fault = faultOf(end, row, hashes[at])
    if (fault) return { end, fault }
    end = { length: end.length + 1, hash: row.hash }
  }
  return { end, fault: null }
}

function faultOf(end: ChainEnd, row: ChainedRow, hash: string | undefined): AuditFault | undefined {
  const sequence = end.length + 1
  if (row.sequence !== sequence) return { sequence, id: null, fault: 'missing' }
  // The content first: if it was changed, the link may be wrong because of that.
  if (hash !== row.hash) return { sequence, id: row.id, fault: 'changed' }
  if (row.previous_hash !== end.hash) return { sequence, id: row.id, fault: 'unlinked' }
  return undefined
}

/** Returns canonical JSON (RFC 8785): members ordered by UTF-16 code units, no spaces, numbers as in ECMAScript. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`
}
