import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { Repeating } from './repeating.js'

class Endless extends Repeating {
  rounds = 0

  constructor() {
    super(
      60_000,
      async () => {
        for (; !this.isStopping; this.rounds++) await sleep(1)
      },
      () => undefined,
    )
  }
}

it('long work is told that the process is about to end, and is waited for', async () => {
  const endless = new Endless()
  endless.start()
  while (endless.rounds < 3) await sleep(1)
  await endless.stop()
  const { rounds } = endless
  await sleep(20)
  expect(endless.rounds).toBe(rounds)
})
