import { CHAIN_START, followChain, type ChainedRow, type ChainEnd } from '@bearing/access/audit-chain'
import type { AuditFault } from '@bearing/contracts/identity/audit/audit-log'

/** Rows whose hashes are computed at a time. `onProgress` is called after each batch. */
const BATCH_ROWS = 500

/** A row with what says where it is. */
export interface ExportedRow extends ChainedRow {
  readonly at: string
  readonly action: string
}

/** Result of verifying a chain so far. */
export interface Verified {
  readonly end: ChainEnd
  /** Rows from before there was a chain. */
  readonly unchained: number
  readonly fault: AuditFault | null
  /** The row at which the chain breaks: the first that does not follow. */
  readonly brokenAt?: ExportedRow | undefined
}

/** Follows the rows of an export and stops at the first fault. Keeps no more than one batch. */
export async function verifyChain(
  rows: AsyncIterable<ExportedRow>,
  onProgress: (verified: Verified) => void,
): Promise<Verified> {
  let verified: Verified = { end: CHAIN_START, unchained: 0, fault: null }
  let batch: ExportedRow[] = []
  const follow = async () => {
    const from = verified.end
    const { end, fault } = await followChain(from, batch)
    verified = { ...verified, end, fault, brokenAt: fault ? batch[end.length - from.length] : undefined }
    batch = []
    onProgress(verified)
  }
  for await (const row of rows) {
    // Rows without a place are allowed only before the first row of the chain.
    if (row.sequence === null && row.hash === null && verified.end.length + batch.length === 0) {
      verified = { ...verified, unchained: verified.unchained + 1 }
      continue
    }
    batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    await follow()
    if (verified.fault) return verified
  }
  await follow()
  return verified
}
