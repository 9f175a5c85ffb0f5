import { MAX_DEAD_LETTERS, MAX_DEAD_LETTER_BYTES } from '@bearing/contracts/dead-letters'
import type { LyingMessage } from './tended-stream.js'

/** A stream of messages that were put aside. */
export interface PutAsideStream {
  /** The first message from a number on; null: there is none. */
  from(number: number): Promise<LyingMessage | null>
}

/**
 * Lists messages that were put aside, the oldest first.
 *
 * @param after the number that the list before ended with; 0 for the first
 * @returns at most {@link MAX_DEAD_LETTERS}, fewer where they are so large that {@link MAX_DEAD_LETTER_BYTES} are reached, and what to
 *   ask for next; null: these were the last
 */
export async function listPutAside<View>(
  stream: PutAsideStream,
  after: number,
  view: (message: LyingMessage) => View,
): Promise<{ data: View[]; next: number | null }> {
  const data: View[] = []
  let next = after + 1
  let bytes = 0
  while (data.length < MAX_DEAD_LETTERS && bytes < MAX_DEAD_LETTER_BYTES) {
    const message = await stream.from(next)
    if (!message) return { data, next: null }
    data.push(view(message))
    bytes += message.body.length
    next = message.number + 1
  }
  return { data, next: next - 1 }
}

/**
 * Tries messages again, one after the other and each once.
 *
 * @param replay tells why one cannot be worked off; undefined where it was
 * @throws as `replay` does: what was done until then stays done
 */
export async function replayPutAside(
  numbers: readonly number[],
  replay: (number: number) => Promise<string | undefined>,
): Promise<{ replayed: number[]; failed: { number: number; reason: string }[] }> {
  const replayed: number[] = []
  const failed: { number: number; reason: string }[] = []
  for (const number of new Set(numbers)) {
    const reason = await replay(number)
    if (reason === undefined) replayed.push(number)
    else failed.push({ number, reason })
  }
  return { replayed, failed }
}
