import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemError } from '@bearing/client/errors'
import { OperationError } from '@bearing/contracts/errors'
import { retryTransient } from '../retry-transient.js'
import type { Import, ImportTarget } from './import-target.js'
import type { ReadRow } from './row-reader.js'

/** How many batches are under way at a time. */
const IN_FLIGHT = 4
const FIRST_POLL_MS = 200
const MAX_POLL_MS = 3_000

/** What was sent. */
export interface Sent {
  readonly batches: number
  readonly rows: number
}

/**
 * Sends batches to an import, a few at a time, in any order: they are numbered.
 *
 * @param onSent called after each batch with all that was sent so far
 * @throws what the reading or the sending of a batch threw; the import stays open and can be sent again
 */
export async function sendBatches(
  target: ImportTarget,
  importId: string,
  batches: AsyncIterable<readonly ReadRow[]>,
  signal: AbortSignal,
  onSent: (sent: Sent) => void,
): Promise<Sent> {
  const sent = { batches: 0, rows: 0 }
  const underWay = new Set<Promise<void>>()
  let failed: { readonly error: unknown } | undefined
  let number = 0
  const send = async (batch: number, rows: readonly ReadRow[]): Promise<void> => {
    try {
      await retryTransient(signal, () => target.append(importId, batch, rows))
      sent.batches++
      sent.rows += rows.length
      onSent(sent)
    } catch (error) {
      failed ??= { error }
    }
  }
  try {
    for await (const rows of batches) {
      const one: Promise<void> = send(number++, rows).finally(() => underWay.delete(one))
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
      const conflict =
        (error instanceof ProblemError || error instanceof OperationError) && error.status === 409
      const now = conflict ? await target.show(importId) : undefined
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
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(MAX_POLL_MS, waitMs * 1.5)) {
    const now = await retryTransient(signal, () => target.show(importId))
    if (now.state === 'committed' || now.state === 'failed') return now
    await sleep(waitMs, undefined, { signal })
  }
}
