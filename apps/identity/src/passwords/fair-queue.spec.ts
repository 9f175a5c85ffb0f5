import { describe, expect, it } from '@jest/globals'
import { FairQueue } from './fair-queue.js'

/** A queue with one turn that is taken, and who got a turn or was sent away, in order. */
function setUp(waiting: number) {
  const queue = new FairQueue({ concurrency: 1, waiting })
  const served: string[] = []
  const refused: string[] = []
  const come = (client: string) =>
    queue.enter(client).then((entered) => (entered ? served : refused).push(client))
  const serve = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) {
      queue.leave()
      await settle()
    }
  }
  void queue.enter('first')
  return { come, serve, served, refused }
}

/** Lets everything go on that can. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('the queue of passwords', () => {
  it('serves clients in turn, however many of one wait', async () => {
    const { come, serve, served } = setUp(10)
    for (const client of ['a', 'a', 'a', 'a', 'b', 'c', 'b']) void come(client)
    await serve(7)
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
  })

  it('cannot be filled by one client', async () => {
    const { come, serve, served, refused } = setUp(4)
    for (const client of ['a', 'a', 'a', 'a', 'a']) void come(client)
    await settle()
    expect(refused).toEqual(['a'])
    void come('b')
    void come('c')
    await serve(4)
    expect(served).toEqual(['a', 'b', 'c', 'a'])
    expect(refused).toEqual(['a', 'a', 'a'])
  })

  it('never holds more than its places, nor lets more go at once than its turns', async () => {
    const { come, serve, served, refused } = setUp(3)
    for (const client of ['a', 'b', 'c', 'd', 'e']) void come(client)
    await settle()
    expect({ served, refused }).toEqual({ served: [], refused: ['d', 'e'] })
    await serve(1)
    expect(served).toEqual(['a'])
  })
})
