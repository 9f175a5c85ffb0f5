import { describe, expect, it } from '@jest/globals'
import { AttemptLimits, type Attempt } from './attempt-limits.js'

let webhooks = 0
const attempts = (organizationId: string, count: number, failing: boolean): Attempt[] =>
  Array.from({ length: count }, () => ({ webhookId: String(++webhooks), organizationId, failing }))

/** Returns the number of attempts, of 300, that the limits admit. */
const admitted = (limits: AttemptLimits, organizationId: string, failing: boolean) =>
  attempts(organizationId, 300, failing).filter((attempt) => limits.admit(attempt)).length

describe('concurrent attempts', () => {
  it('of one organization are at most a quarter: 50 to working webhooks, 25 to failing webhooks', () => {
    expect(admitted(new AttemptLimits([]), 'a', false)).toBe(50)
    expect(admitted(new AttemptLimits([]), 'a', true)).toBe(25)
  })

  it('to one webhook are at most four, and one if it is failing', () => {
    const limits = new AttemptLimits([])
    const admit = (failing: boolean) =>
      Array.from({ length: 9 }, () =>
        limits.admit({ webhookId: String(failing), organizationId: 'a', failing }),
      )
    expect(admit(false).filter(Boolean)).toHaveLength(4)
    expect(admit(true).filter(Boolean)).toHaveLength(1)
    expect(limits.excluded.webhookIds).toEqual(['false', 'true'])
  })

  it('to failing webhooks leave half of the process to working webhooks', () => {
    const limits = new AttemptLimits(attempts('a', 100, true))
    expect(limits.hasRoom('failing')).toBe(false)
    expect(admitted(limits, 'b', true)).toBe(0)
    expect(admitted(limits, 'a', false)).toBe(25)
  })

  it('of fewer than ten organizations do not fill a process', () => {
    const limits = new AttemptLimits([])
    let organizations = 0
    while (limits.hasRoom('working')) admitted(limits, String(organizations++), false)
    expect(organizations).toBeGreaterThanOrEqual(10)
  })
})
