import { describe, expect, it } from '@jest/globals'
import { findLateAcceptance } from './campaigns/revocations.js'

/** `pnpm campaign revocations` plays many more. */
const HISTORIES = 500

describe('a revocation', () => {
  it('is kept by every gateway within a second, and within 30 where no message about it comes, whatever happens to messages, connections and questions under way', async () => {
    expect(await findLateAcceptance(HISTORIES)).toBeUndefined()
  })
})
