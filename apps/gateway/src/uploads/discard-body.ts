import type { Readable } from 'node:stream'
import { untilAborted } from './until-aborted.js'

const MAX_DISCARDED = 32 * 1024 * 1024

/**
 * Reads and discards the rest of a refused body: most clients read the reply only after they have sent everything.
 *
 * @param patienceMs how long to read, in milliseconds
 */
export async function discardBody(body: Readable, patienceMs: number): Promise<void> {
  const rest = untilAborted<Buffer>(
    body.iterator({ destroyOnReturn: false }),
    AbortSignal.timeout(patienceMs),
  )
  try {
    let length = 0
    for await (const bytes of rest) {
      length += bytes.length
      if (length > MAX_DISCARDED) return
    }
  } catch {
    // The client is gone or too slow.
  }
}
