import { describe, expect, it } from '@jest/globals'
import { soak } from './campaigns/soak.js'

describe('what was acknowledged to a device', () => {
  it('is stored once and in order, whichever of gateway, management, NATS and Postgres is killed meanwhile', async () => {
    const outcome = await soak({
      devices: 3,
      goesOn: (kills) => kills < 4,
      random: Math.random,
      tell: () => undefined,
    })
    expect(outcome.faults).toEqual([])
    expect(outcome.stored).toBe(outcome.acknowledged)
    expect(outcome.acknowledged).toBeGreaterThan(0)
    // What a killed NATS has handed out comes again half a minute later, and it may be killed more than once.
  }, 600_000)
})
