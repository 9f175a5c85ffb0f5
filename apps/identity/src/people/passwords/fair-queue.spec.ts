import { setImmediate as settle } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { FairQueue, type QueuePath } from './fair-queue.js'

/** A queue whose only turn is taken, and the callers that got a turn or were refused, in order. */
function setUp(waiting: number) {
  const queue = new FairQueue({ concurrency: 1, waiting })
  const served: string[] = []
  const refused: string[] = []
  const come = async (...path: QueuePath) => {
    const entered = await queue.enter(path)
    ;(entered ? served : refused).push(path.join('/'))
  }
  const serve = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) {
      queue.leave()
      await settle()
    }
  }
  void queue.enter(['first'])
  return { queue, come, serve, served, refused }
}

/** The same numbers in every run. */
function seeded(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const SEEDS = Array.from({ length: 25 }, (_, index) => index + 1)

describe('the queue of passwords', () => {
  it('serves callers in turn, however many of one wait', async () => {
    const { come, serve, served } = setUp(10)
    for (const client of ['a', 'a', 'a', 'a', 'b', 'c', 'b']) void come(client)
    await serve(7)
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
  })

  it('cannot be filled by one caller', async () => {
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

  it('never holds more callers than its places, nor gives more turns at the same time than it has', async () => {
    const { come, serve, served, refused } = setUp(3)
    for (const client of ['a', 'b', 'c', 'd', 'e']) void come(client)
    await settle()
    expect({ served, refused }).toEqual({ served: [], refused: ['d', 'e'] })
    await serve(1)
    expect(served).toEqual(['a'])
  })

  it('gives a prefix of many networks the share of one network, and a newcomer a place at its expense', async () => {
    const { come, serve, served, refused } = setUp(64)
    for (let network = 0; network < 200; network++) void come('prefix', `network ${String(network)}`)
    await settle()
    expect(refused).toHaveLength(136)
    for (let visit = 0; visit < 3; visit++) void come('newcomer', 'its network')
    await serve(6)
    expect(served.filter((path) => path.startsWith('newcomer'))).toHaveLength(3)
  })

  it.each(SEEDS)(
    'shares turns equally between the groups of every level while all wait (seed %i)',
    async (seed) => {
      const random = seeded(seed)
      const { come, serve, served } = setUp(100_000)
      const paths: QueuePath[] = []
      for (let a = 0; a <= 1 + random(3); a++)
        for (let b = 0; b <= random(4); b++)
          for (let c = 0; c <= random(5); c++) paths.push([String(a), String(b), String(c)])
      for (let round = 0; round < 60; round++) for (const path of paths) void come(...path)
      const turns = 30 + random(31)
      await serve(turns)
      expect(served).toHaveLength(turns)
      for (const level of [1, 2, 3]) {
        const groups = new Map<string, Map<string, number>>()
        for (const path of paths) {
          const counts = groups.get(path.slice(0, level - 1).join('/')) ?? new Map<string, number>()
          const own = path.slice(0, level).join('/')
          counts.set(own, served.filter((one) => `${one}/`.startsWith(`${own}/`)).length)
          groups.set(path.slice(0, level - 1).join('/'), counts)
        }
        for (const counts of groups.values())
          expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1)
      }
    },
  )

  it.each(SEEDS)(
    'serves a caller that is alone in its widest group within one turn of each other group, whatever other callers come (seed %i)',
    async (seed) => {
      const random = seeded(seed)
      const { come, serve, served, refused } = setUp(16)
      const somebody = () => come(String(random(6)), String(random(50)), String(random(50)))
      for (let caller = 0; caller < 200; caller++) void somebody()
      void come('alone', 'network', 'address')
      for (let turn = 0; turn < 7; turn++) {
        for (let caller = 0; caller < 20; caller++) void somebody()
        await serve(1)
      }
      expect(refused).not.toContain('alone/network/address')
      expect(served).toContain('alone/network/address')
    },
  )

  it.each(SEEDS)(
    'keeps no more groups than its callers have, and none once it is empty (seed %i)',
    async (seed) => {
      const random = seeded(seed)
      const waiting = 1 + random(20)
      const { queue, come, serve, served, refused } = setUp(waiting)
      let callers = 0
      for (let step = 0; step < 300; step++)
        if (random(3) === 0) await serve(1)
        else {
          callers++
          void come(String(random(9)), String(random(9)), String(random(9)))
          expect(groupsOf(queue)).toBeLessThanOrEqual(3 * waiting)
        }
      await serve(waiting + 1)
      expect(groupsOf(queue)).toBe(0)
      expect(served.length + refused.length).toBe(callers)
      // All turns are free again.
      expect(await queue.enter(['next'])).toBe(true)
    },
  )
})

interface Groups {
  readonly subgroups: ReadonlyMap<string, Groups>
}

/** Groups that a queue holds at the moment, on all levels. They are its memory, which nothing else shows. */
function groupsOf(queue: FairQueue): number {
  const count = (group: Groups): number =>
    [...group.subgroups.values()].reduce((sum, subgroup) => sum + 1 + count(subgroup), 0)
  return count(Reflect.get(queue, 'root') as Groups)
}
