import { describe, expect, it } from '@jest/globals'
import { Redeeming } from './redeeming.js'

/** Calls that wait for a provider until they are let go. */
function setUp() {
  const redeeming = new Redeeming()
  const waiting: (() => void)[] = []
  const outcomes: Promise<string>[] = []
  /** Begins to redeem codes at the provider of a connection. */
  const begin = (connectionId: string, count: number) => {
    for (let n = 0; n < count; n++) {
      const redeem = () =>
        new Promise<string>((resolve) =>
          waiting.push(() => {
            resolve('answered')
          }),
        )
      outcomes.push(
        redeeming.run(connectionId, redeem).catch((error: unknown) => (error as { code: string }).code),
      )
    }
  }
  const letGo = async () => {
    for (const answer of waiting.splice(0)) answer()
    return Promise.all(outcomes.splice(0))
  }
  return { redeeming, begin, letGo, waiting }
}

describe('waiting for identity providers', () => {
  it('is done by four at once for one connection: the fifth is told to come again, and other connections are served', async () => {
    const { begin, letGo } = setUp()
    begin('slow', 5)
    begin('other', 1)
    expect(await letGo()).toEqual([...Array.from({ length: 4 }, () => 'answered'), 'overloaded', 'answered'])
  })

  it('is done by 32 at once in all, however many connections there are', async () => {
    const { begin, letGo, waiting } = setUp()
    for (let connection = 0; connection < 9; connection++) begin(`connection ${String(connection)}`, 4)
    expect(waiting).toHaveLength(32)
    const outcomes = await letGo()
    expect(outcomes.slice(32)).toEqual(Array.from({ length: 4 }, () => 'overloaded'))
  })

  it('leaves its place to the next one, however it ends', async () => {
    const { redeeming, begin, letGo } = setUp()
    for (let time = 0; time < 100; time++)
      await expect(redeeming.run('failing', () => Promise.reject(new Error('hung up')))).rejects.toThrow(
        'hung up',
      )
    for (let time = 0; time < 10; time++) {
      begin('failing', 4)
      expect(await letGo()).toEqual(Array.from({ length: 4 }, () => 'answered'))
    }
  })
})
