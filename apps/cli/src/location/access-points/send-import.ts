import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemError } from '@bearing/client/errors'
import { OperationError } from '@bearing/contracts/errors'
import type { Batch } from '@bearing/files/access-points/cut-batches'
import { retryTransient } from '@bearing/client/retry-transient'
import type { Import, ImportTarget } from './import-target.js'

/** Concurrent batches. */
const IN_FLIGHT = 4
/** The polling interval is 5 % of the elapsed time. */
const FIRST_POLL_MS = 50
const POLL_GROWTH = 1.05
const MAX_POLL_MS = 3_000

/** Counts of sent rows. */
export interface Sent {
  readonly batches: number
  readonly rows: number
}

/** An open import. */
export interface Destination {
  readonly importId: string
  /** Number of batches from 0 that an earlier run has sent. */
  readonly stored: number
}

/**
 * Returns the number of batches of an earlier run: those from 0 without a gap, if they have the same size.
 */
export function storedBatches({ next_batch, next_row }: Import, batchRows: number): number {
  return next_row === next_batch * batchRows ? next_batch : 0
}

/** Returns true if an earlier run may have sent the whole file: all batches have the same size, the last one is smaller. */
export function mayBeAll({ batches, next_batch, next_row }: Import, batchRows: number): boolean {
  return (
    batches === next_batch && next_row > (next_batch - 1) * batchRows && next_row < next_batch * batchRows
  )
}

/** Returns true if an import is closed, because a concurrent run commits or has committed it. */
export function isConflict(error: unknown): boolean {
  return (error instanceof ProblemError || error instanceof OperationError) && error.status === 409
}

/**
 * Sends numbered batches to an import concurrently.
 *
 * @param onSent called after each batch with the total
 * @throws errors of reading and sending; the import stays open and can be resumed
 */
export async function sendBatches(
  target: ImportTarget,
  { importId, stored }: Destination,
  batches: AsyncIterable<Batch>,
  signal: AbortSignal,
  onSent: (sent: Sent) => void,
): Promise<Sent> {
  const sent = { batches: 0, rows: 0 }
  const underWay = new Set<Promise<void>>()
  let failed: { readonly error: unknown } | undefined
  let number = 0
  const send = async (batch: number, { rows, packed }: Batch): Promise<void> => {
    try {
      await retryTransient(signal, () => target.append(importId, batch, packed))
      sent.batches++
      sent.rows += rows
      onSent(sent)
    } catch (error) {
      failed ??= { error }
    }
  }
  try {
    for await (const batch of batches) {
      if (number < stored) {
        number++
        sent.batches++
        sent.rows += batch.rows
        onSent(sent)
        continue
      }
      const one: Promise<void> = send(number++, batch).finally(() => underWay.delete(one))
      underWay.add(one)
      if (underWay.size >= IN_FLIGHT) await Promise.race(underWay)
      if (failed) break
    }
  } finally {
    await Promise.all(underWay)
  }
  if (failed) throw failed.error
  return sent
}

/**
 * Commits an import, and waits until it is visible or has failed.
 *
 * @returns the import, `committed` or `failed`
 */
export async function commit(
  target: ImportTarget,
  importId: string,
  sent: Sent,
  signal: AbortSignal,
): Promise<Import> {
  await retryTransient(signal, async () => {
    try {
      return await target.commit(importId, sent)
    } catch (error) {
      // An earlier attempt may have succeeded although its reply was lost.
      const now = isConflict(error) ? await target.show(importId) : undefined
      if (!now || now.state === 'open') throw error
      return now
    }
  })
  return waitForCommit(target, importId, signal)
}

/** Waits until an import is `committed` or `failed`. */
export async function waitForCommit(
  target: ImportTarget,
  importId: string,
  signal: AbortSignal,
): Promise<Import> {
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(MAX_POLL_MS, waitMs * POLL_GROWTH)) {
    const now = await retryTransient(signal, () => target.show(importId))
    if (now.state === 'committed' || now.state === 'failed') return now
    await sleep(waitMs, undefined, { signal })
  }
}
