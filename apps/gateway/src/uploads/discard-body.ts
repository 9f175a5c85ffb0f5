import type { Readable } from 'node:stream'
import { until } from './until-aborted.js'

/** How much is read, in bytes. */
const MAX_DISCARDED = 32 * 1024 * 1024

/**
 * Reads what is left of a body that was refused, for its sender to hear the answer: most send all of a body before they look.
 *
 * @param patienceMs how long, in milliseconds
 */
export async function discardBody(body: Readable, patienceMs: number): Promise<void> {
  const rest = until<Buffer>(body.iterator({ destroyOnReturn: false }), AbortSignal.timeout(patienceMs))
  try {
    let length = 0
    for await (const bytes of rest) {
      length += bytes.length
      if (length > MAX_DISCARDED) return
    }
  } catch {
    // The client is gone, or too slow.
  }
}
