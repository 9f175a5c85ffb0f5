import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemError } from '@bearing/client/errors'
import { OperationError } from '@bearing/contracts/errors'
import { retryTransient } from '../retry-transient.js'
import type { Batch } from './cut-batches.js'
import type { Import, ImportTarget } from './import-target.js'

/** How many batches are under way at a time. */
const IN_FLIGHT = 4
/** An import is asked for again after a twentieth of the time that it has taken: whoever waits, waits little longer than it takes. */
const FIRST_POLL_MS = 50
const POLL_GROWTH = 1.05
const MAX_POLL_MS = 3_000

/** What was sent. */
export interface Sent {
  readonly batches: number
  readonly rows: number
}

/** An import that batches are sent to. */
export interface Destination {
  readonly importId: string
  /** How many batches from 0 are there already, by an earlier run. */
  readonly stored: number
}

/**
 * How many batches an earlier run has left: those from 0 without a gap, unless they were cut in another way than ours.
 */
export function storedBatches({ next_batch, next_row }: Import, batchRows: number): number {
  return next_row === next_batch * batchRows ? next_batch : 0
}

/** Whether an earlier run may have left all of a file: all batches are as ours are, and the last one is smaller. */
export function mayBeAll({ batches, next_batch, next_row }: Import, batchRows: number): boolean {
  return (
    batches === next_batch && next_row > (next_batch - 1) * batchRows && next_row < next_batch * batchRows
  )
}

/** Whether an import takes nothing more, because somebody else commits it or has committed it. */
export function isConflict(error: unknown): boolean {
  return (error instanceof ProblemError || error instanceof OperationError) && error.status === 409
}

/**
 * Sends batches to an import, a few at a time, in any order: they are numbered.
 *
 * @param onSent called after each batch with all that was sent so far
 * @throws what the reading or the sending of a batch threw; the import stays open and can be sent again
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
 * Makes an import visible and waits until it is, or until it has failed.
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
      // An earlier attempt may have arrived although its answer did not: then there is nothing to commit any more.
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
