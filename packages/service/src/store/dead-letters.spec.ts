import { MAX_DEAD_LETTERS, MAX_DEAD_LETTER_BYTES } from '@bearing/contracts/nats/dead-letters'
import { describe, expect, it } from '@jest/globals'
import type { Connection } from '@bearing/nats/connection'
import type { StoredMessage } from '@bearing/nats/stored-stream'
import { DeadLetters } from './dead-letters.js'

/** A stream of messages of a size, and how many were read from it. */
class FakeQueue extends DeadLetters {
  read = 0

  constructor(
    private readonly messages: number,
    private readonly bytes: number,
  ) {
    super({} as Connection, { name: 'LETTERS', subject: 'letters', queue: false }) // never used: `from` is replaced
  }

  override from(number: number): Promise<StoredMessage | null> {
    if (number > this.messages) return Promise.resolve(null)
    this.read++
    const body = new Uint8Array(this.bytes)
    return Promise.resolve({ number, subject: 'x', header: () => undefined, id: '', body })
  }
}

describe('a list of dead letters', () => {
  /** All numbers, list by list. */
  async function listed(stream: FakeQueue): Promise<number[][]> {
    const lists: number[][] = []
    for (let after: number | null = 0; after !== null;) {
      const list: Awaited<ReturnType<FakeQueue['list']>> = await stream.list(after, () => ({}))
      lists.push(list.data.map(({ number }) => number))
      after = list.next
    }
    return lists
  }

  it('ends at the limit, and the next list starts there', async () => {
    const lists = await listed(new FakeQueue(2 * MAX_DEAD_LETTERS + 1, 1))
    expect(lists.map(({ length }) => length)).toEqual([MAX_DEAD_LETTERS, MAX_DEAD_LETTERS, 1])
    expect(lists.flat()).toEqual(Array.from({ length: 2 * MAX_DEAD_LETTERS + 1 }, (_, i) => i + 1))
  })

  it('of large ones ends earlier: it reads at most one message more than its limit of bytes', async () => {
    const bytes = MAX_DEAD_LETTER_BYTES / 4 + 1
    const stream = new FakeQueue(10, bytes)
    await stream.list(0, () => ({}))
    expect(stream.read * bytes).toBeLessThanOrEqual(MAX_DEAD_LETTER_BYTES + bytes)
    expect(await listed(new FakeQueue(10, bytes))).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ])
  })
})
