import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { inTime } from './in-time.js'

it('waiting for an answer with no time left returns undefined, and an answer that is there already, without a warning', async () => {
  const warnings: string[] = []
  const note = ({ name }: Error) => {
    warnings.push(name)
  }
  process.on('warning', note)
  const never = new Promise<string>(() => undefined)
  expect(await inTime(never, -5)).toBeUndefined()
  expect(await inTime(Promise.resolve('answer'), -5)).toBe('answer')
  // Node emits warnings in a later turn.
  await sleep(20)
  process.off('warning', note)
  expect(warnings).toEqual([])
})
