import { describe, expect, it, jest } from '@jest/globals'
import { eraseUnderFire } from '../campaigns/erasure.js'
import { randomFrom } from '../campaigns/malformed-credentials.js'

/** `pnpm campaign erasure` kills something at every table. */
const SHARE = 0.2

describe('an erasure', () => {
  it.each(['organization', 'project'] as const)(
    'of one %s leaves nothing in any table or stream and touches no other organization, although processes are killed and messages arrive late',
    async (what) => {
      const seed = jest.getSeed()
      const random = randomFrom(seed)
      const outcome = await eraseUnderFire({
        what,
        isKilledAt: () => random() < SHARE,
        report: () => undefined,
      })
      expect({ seed, faults: outcome.faults }).toEqual({ seed, faults: [] })
    },
    600_000,
  )
})
