import { describe, expect, it, jest } from '@jest/globals'
import { randomFrom } from '../campaigns/malformed-credentials.js'
import { soak } from '../campaigns/soak.js'

describe('a chunk that was acknowledged to a device', () => {
  it('is stored once and in order, read once by a changefeed, and in the stream of device data, although gateway, management, NATS and Postgres are killed in random order and the queue gets more partitions', async () => {
    const seed = jest.getSeed()
    const outcome = await soak({
      devices: 6,
      shouldContinue: (kills) => kills < 4,
      random: randomFrom(seed),
      partitions: [3, 8],
      report: () => undefined,
    })
    // `pnpm test tests/src/faults/soak.spec.ts --seed <seed>` kills the same parts after the same times.
    expect({ seed, faults: outcome.faults }).toEqual({ seed, faults: [] })
    expect(outcome.stored).toBe(outcome.acknowledged)
    expect(outcome.acknowledged).toBeGreaterThan(0)
    // NATS delivers again after half a minute what it had delivered before it was killed, and it may be killed more than once.
  }, 600_000)
})
