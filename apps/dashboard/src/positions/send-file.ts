import type { CallOutput } from '@bearing/client/call-types'
import { retryTransient } from '@bearing/client/retry-transient'
import { sleep } from '@bearing/client/signals'
import { BATCH_ROWS, cutBatches, type Batch } from '@bearing/files/access-points/cut-batches'
import { client } from '../ground/client.js'
import type { DryRun } from './dry-run.js'
import { readRows } from './read-file.js'

export type Import = CallOutput<'showImport'>

/** Batches that are under way at a time. */
const IN_FLIGHT = 3
const POLL_MS = 1_000

/** Progress of an import. */
export interface Progress {
  readonly step: 'sending' | 'committing'
  readonly rows: number
  /** Rows that an earlier, interrupted import had sent. */
  readonly resumed: number
}

/** End of an import. */
export interface Ended {
  readonly result: Import
  /** True if the same content had been imported before. */
  readonly wasThere: boolean
}

/**
 * Imports a file. Repeating it after an interruption continues where it stopped, in another browser and on the command line too:
 * the server knows the content by its digest, and a batch that is sent again replaces itself.
 */
export async function sendFile(
  organization: string,
  { file }: DryRun,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Ended> {
  const { content } = file.opened.reader
  const begun = await retryTransient(signal, () =>
    client.call('beginImport', { organization, content, digest: file.digest }, { signal }),
  )
  const import_id = begun.id
  if (begun.state !== 'open')
    return { result: await ended(organization, import_id, signal), wasThere: begun.state === 'committed' }
  const stored = storedBatches(begun)
  const sent = { batches: 0, rows: 0 }
  const resumed = stored * BATCH_ROWS
  const underWay = new Set<Promise<void>>()
  let failed: { readonly error: unknown } | undefined
  const send = async (batch: number, { packed, rows }: Batch) => {
    try {
      await retryTransient(signal, () =>
        client.call('appendToImport', { organization, import_id, batch, packed }, { signal }),
      )
      sent.rows += rows
      onProgress({ step: 'sending', rows: sent.rows, resumed })
    } catch (error) {
      failed ??= { error }
    }
  }
  const rows = readRows(
    file,
    signal,
    () => undefined,
    () => undefined,
  )
  for await (const batch of cutBatches(rows, toBase64)) {
    if (failed) break
    const number = sent.batches++
    if (number < stored) {
      sent.rows += batch.rows
      continue
    }
    const one: Promise<void> = send(number, batch).finally(() => underWay.delete(one))
    underWay.add(one)
    if (underWay.size >= IN_FLIGHT) await Promise.race(underWay)
  }
  await Promise.all(underWay)
  if (failed) throw failed.error
  onProgress({ step: 'committing', rows: sent.rows, resumed })
  await retryTransient(signal, () =>
    client.call('commitImport', { organization, import_id, ...sent }, { signal }),
  ).catch(async (error: unknown) => {
    // The reply to an earlier try may have been lost.
    const now = await client.call('showImport', { organization, import_id }, { signal })
    if (now.state === 'open') throw error
  })
  return { result: await ended(organization, import_id, signal), wasThere: false }
}

/** Returns how many batches an earlier import has stored that are the same as ours; the last one, if it was smaller, is sent again. */
function storedBatches({ next_batch, next_row, batches }: Import): number {
  if (batches !== next_batch) return 0
  if (next_row === next_batch * BATCH_ROWS) return next_batch
  const isLastSmaller = next_row > (next_batch - 1) * BATCH_ROWS && next_row < next_batch * BATCH_ROWS
  return isLastSmaller ? next_batch - 1 : 0
}

async function ended(organization: string, import_id: string, signal: AbortSignal): Promise<Import> {
  for (;;) {
    const now = await retryTransient(signal, () =>
      client.call('showImport', { organization, import_id }, { signal }),
    )
    if (now.state === 'committed' || now.state === 'failed') return now
    await sleep(POLL_MS, signal)
  }
}

function toBase64(bytes: Uint8Array<ArrayBuffer>): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(text)
}
