import type { DataItem } from '@bearing/contracts/management/data/data-item'
import type { Outcome } from './send-delivery.js'

/** Requests under way at the same time, each of another device. */
const LANES = 16

/** Statuses of 4xx that are not about the item: the key is wrong, or the other service is busy. */
const NOT_ABOUT_ITEMS: ReadonlySet<number> = new Set([401, 403, 407, 408, 421, 425, 429])

/** Of an item that was erased since it was queued. */
export const NOTHING_LEFT: Outcome = {
  ...{ accepted: true, status: null, error: null, durationMs: 0, retryAfterMs: 0 },
}

/** Outcome for items. */
interface Forwarded {
  /** Those at the beginning of which none is missing. */
  readonly done: readonly DataItem[]
  /** Ids of those that the other service has refused. */
  readonly refused: ReadonlySet<string>
  readonly failure: Outcome | undefined
}

/**
 * Sends each item alone, those of a device one after the other. A refused item stops nothing; the first failure stops
 * everything that was not begun.
 *
 * @param isOver whether nothing more may begin
 */
export async function forwardItems(
  items: readonly DataItem[],
  send: (item: DataItem) => Promise<Outcome>,
  isOver: () => boolean,
): Promise<Forwarded> {
  const settled = new Set<string>()
  const refused = new Set<string>()
  let failure: Outcome | undefined
  const forward = async (item: DataItem) => {
    const outcome = await send(item)
    const refuses = isRefused(outcome)
    if (refuses) refused.add(item.id)
    if (outcome.accepted || refuses) settled.add(item.id)
    else failure ??= outcome
  }
  const running = new Map<string, Promise<void>>()
  for (const item of items) {
    const serial = item.device_serial ?? ''
    await running.get(serial)
    while (running.size >= LANES) await Promise.race(running.values())
    if (failure || isOver()) break
    running.set(
      serial,
      forward(item).finally(() => running.delete(serial)),
    )
  }
  await Promise.all(running.values())
  const missing = items.findIndex(({ id }) => !settled.has(id))
  return { done: missing === -1 ? items : items.slice(0, missing), refused, failure }
}

function isRefused({ status }: Outcome): boolean {
  return status !== null && status >= 400 && status < 500 && !NOT_ABOUT_ITEMS.has(status)
}
