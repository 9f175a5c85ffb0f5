import { describe, expect, it } from '@jest/globals'
import { findLateAcceptance } from '../campaigns/revocations.js'

/** `pnpm campaign revocations` simulates many more. */
const HISTORIES = 500

describe('a revocation', () => {
  // The clock is simulated, and a message that is not lost takes at most 900 ms. `pnpm bench` measures the real time.
  it('is applied by every gateway 1 s after its message and 30 s after a lost message at the latest, in simulated time', async () => {
    expect(await findLateAcceptance(HISTORIES)).toBeUndefined()
  })
})
