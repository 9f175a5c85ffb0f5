import type { DataItem } from '@bearing/contracts/management/data/data-item'
import type { Outcome } from './send-delivery.js'

/** Requests under way at the same time, each of another device. */
const LANES = 16

/** Statuses of 4xx that are not about the chunk: the key is wrong, or the other service is busy. */
const NOT_ABOUT_CHUNKS: ReadonlySet<number> = new Set([401, 403, 407, 408, 421, 425, 429])

/** What became of chunks. */
interface Forwarded {
  /** Those at the beginning of which none is missing. */
  readonly done: readonly DataItem[]
  /** Ids of those that the other service has refused. */
  readonly refused: ReadonlySet<string>
  readonly failure: Outcome | undefined
}

/**
 * Sends each chunk in a request of its own, those of a device one after the other. A refused chunk stops nothing; the first
 * failure stops everything that was not begun.
 *
 * @param isOver whether nothing more may begin
 */
export async function forwardChunks(
  items: readonly DataItem[],
  send: (serial: string, body: Uint8Array) => Promise<Outcome>,
  isOver: () => boolean,
): Promise<Forwarded> {
  const settled = new Set<string>()
  const refused = new Set<string>()
  let failure: Outcome | undefined
  const forward = async (serial: string, { id, data }: { id: string; data: string | null }) => {
    // Erased since it was queued: nothing of it is sent.
    if (data === null) {
      settled.add(id)
      return
    }
    const outcome = await send(serial, Buffer.from(data, 'base64'))
    const { accepted, status } = outcome
    const isRefused = status !== null && status >= 400 && status < 500 && !NOT_ABOUT_CHUNKS.has(status)
    if (isRefused) refused.add(id)
    if (accepted || isRefused) settled.add(id)
    else failure ??= outcome
  }
  const running = new Map<string, Promise<void>>()
  for (const item of items) {
    if (item.kind !== 'chunk') continue
    const { device_serial: serial } = item
    await running.get(serial)
    while (running.size >= LANES) await Promise.race(running.values())
    if (failure || isOver()) break
    const one = forward(serial, item).finally(() => running.delete(serial))
    running.set(serial, one)
  }
  await Promise.all(running.values())
  const missing = items.findIndex(({ id }) => !settled.has(id))
  return { done: missing === -1 ? items : items.slice(0, missing), refused, failure }
}
