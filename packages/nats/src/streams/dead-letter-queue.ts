import { MAX_DEAD_LETTERS, MAX_DEAD_LETTER_BYTES } from '@bearing/contracts/dead-letters'
import { StoredStream, type StoredMessage } from './stored-stream.js'

/** A stream of messages that no service could process: operators list them and replay them. */
export class DeadLetterQueue extends StoredStream {
  /**
   * Lists dead letters, the oldest first.
   *
   * @param after the number that the list before ended with; 0 for the first
   * @returns at most {@link MAX_DEAD_LETTERS}, fewer if they are larger than {@link MAX_DEAD_LETTER_BYTES}; and what to ask for next,
   *   null after the last
   */
  async list<View>(
    after: number,
    view: (message: StoredMessage) => View,
  ): Promise<{ data: View[]; next: number | null }> {
    const data: View[] = []
    let next = after + 1
    let bytes = 0
    while (data.length < MAX_DEAD_LETTERS && bytes < MAX_DEAD_LETTER_BYTES) {
      const message = await this.from(next)
      if (!message) return { data, next: null }
      data.push(view(message))
      bytes += message.body.length
      next = message.number + 1
    }
    return { data, next: next - 1 }
  }

  /**
   * Processes dead letters again, each once.
   *
   * @param replay returns why one cannot be processed; undefined if it was
   * @throws as `replay` does; letters before it stay replayed
   */
  async replay(
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
}
