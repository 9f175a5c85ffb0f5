import type { OnboardingToken } from '@bearing/contracts/identity/devices/onboarding-token'
import type { z } from 'zod'
import type { OnboardingToken as Row } from '../../generated/prisma/client.js'

/** Returns an onboarding token as the contract has it. */
export function toOnboardingToken(row: Row): z.output<typeof OnboardingToken> {
  const { id, name, uses, maxUses: max_uses, createdAt, expiresAt } = row
  const times = { created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() }
  return { id, name, uses, max_uses, ...times }
}
