import { MAX_DEAD_LETTERS, MAX_DEAD_LETTER_BYTES } from '@bearing/contracts/dead-letters'
import { describe, expect, it } from '@jest/globals'
import { listPutAside, type PutAsideStream } from './put-aside.js'

/** A stream of messages of a size, and how many were read from it. */
class Lying implements PutAsideStream {
  read = 0

  constructor(
    private readonly messages: number,
    private readonly bytes: number,
  ) {}

  from(number: number): ReturnType<PutAsideStream['from']> {
    if (number > this.messages) return Promise.resolve(null)
    this.read++
    const body = new Uint8Array(this.bytes)
    return Promise.resolve({ number, subject: 'x', header: () => undefined, id: '', body })
  }
}

describe('a list of messages that were put aside', () => {
  /** All numbers, list by list. */
  async function listed(stream: Lying): Promise<number[][]> {
    const lists: number[][] = []
    for (let after: number | null = 0; after !== null;) {
      const list: { data: number[]; next: number | null } = await listPutAside(
        stream,
        after,
        ({ number }) => number,
      )
      lists.push(list.data)
      after = list.next
    }
    return lists
  }

  it('ends after so many, and where the next one begins', async () => {
    const lists = await listed(new Lying(2 * MAX_DEAD_LETTERS + 1, 1))
    expect(lists.map(({ length }) => length)).toEqual([MAX_DEAD_LETTERS, MAX_DEAD_LETTERS, 1])
    expect(lists.flat()).toEqual(Array.from({ length: 2 * MAX_DEAD_LETTERS + 1 }, (_, i) => i + 1))
  })

  it('ends earlier where they are large: no list reads more than it may and one message', async () => {
    const bytes = MAX_DEAD_LETTER_BYTES / 4 + 1
    const stream = new Lying(10, bytes)
    await listPutAside(stream, 0, ({ number }) => number)
    expect(stream.read * bytes).toBeLessThanOrEqual(MAX_DEAD_LETTER_BYTES + bytes)
    expect(await listed(new Lying(10, bytes))).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ])
  })
})
