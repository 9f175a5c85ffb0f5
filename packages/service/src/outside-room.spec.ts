import { describe, expect, it } from '@jest/globals'
import { OutsideRoom, type Share } from './outside-room.js'

/** Calls that wait until they are let go. */
function setUp() {
  const room = new OutsideRoom({ most: 32, beyondShare: 'rate_limited', tooMany: 'Too many questions' })
  const waiting: (() => void)[] = []
  const outcomes: Promise<string>[] = []
  const begin = (count: number, ...shares: Share[]) => {
    for (let n = 0; n < count; n++) {
      const work = () =>
        new Promise<string>((resolve) =>
          waiting.push(() => {
            resolve('answered')
          }),
        )
      outcomes.push(room.run(shares, work).catch((error: unknown) => (error as { code: string }).code))
    }
  }
  const letGo = async () => {
    for (const answer of waiting.splice(0)) answer()
    return Promise.all(outcomes.splice(0))
  }
  return { room, begin, letGo, waiting }
}

const four = (of: string): Share => ({ of, most: 4 })
const times = (count: number, outcome: string) => Array.from({ length: count }, () => outcome)

describe('waiting for addresses that customers name', () => {
  it('is done by as many of one customer as its share is: the next is told to come again, and others are served', async () => {
    const { begin, letGo } = setUp()
    begin(5, four('slow'))
    begin(1, four('other'))
    expect(await letGo()).toEqual([...times(4, 'answered'), 'rate_limited', 'answered'])
  })

  it('takes a place of every share that it counts in, and none where one of them is used up', async () => {
    const { begin, letGo } = setUp()
    const person = four('person')
    begin(3, person, four('first'))
    begin(2, person, four('second'))
    begin(4, four('second'))
    expect(await letGo()).toEqual([
      ...times(4, 'answered'),
      'rate_limited',
      ...times(3, 'answered'),
      'rate_limited',
    ])
  })

  it('is done by so many in all, however many customers there are; who has used up the own share hears of that', async () => {
    const { begin, letGo, waiting } = setUp()
    for (let customer = 0; customer < 9; customer++) begin(4, four(String(customer)))
    begin(1, four('0'))
    expect(waiting).toHaveLength(32)
    const outcomes = await letGo()
    expect(outcomes.slice(32)).toEqual([...times(4, 'overloaded'), 'rate_limited'])
  })

  it('says when to come again', async () => {
    const { room } = setUp()
    const none = { of: 'none', most: 0 }
    await expect(room.run([none], () => Promise.resolve())).rejects.toMatchObject({
      details: { retry_after: 2 },
    })
  })

  it('leaves the place to the next one, however it ends', async () => {
    const { room, begin, letGo } = setUp()
    for (let time = 0; time < 100; time++)
      await expect(room.run([four('failing')], () => Promise.reject(new Error('hung up')))).rejects.toThrow(
        'hung up',
      )
    for (let time = 0; time < 10; time++) {
      begin(4, four('failing'))
      expect(await letGo()).toEqual(times(4, 'answered'))
    }
  })
})
