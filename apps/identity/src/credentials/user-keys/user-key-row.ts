import type { showUserKey } from '@bearing/contracts/identity/people/user-key'
import type { Output } from '@bearing/contracts/operation'

/** The columns to return: neither hash nor pepper. */
export const SHOWN = { id: true, createdAt: true, expiresAt: true, secondFactor: true } as const

export interface ShownKey {
  readonly id: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly secondFactor: boolean
}

/**
 * Returns an API key as the contract has it.
 *
 * @param counts whether it satisfies an organization that requires a second factor
 */
export function toUserKey(key: ShownKey, counts: boolean): Omit<Output<typeof showUserKey>, 'api_key'> {
  return {
    id: key.id,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    second_factor: counts,
  }
}

/**
 * Returns true if an API key was created with the second factor that its user has now.
 *
 * @param confirmedAt when that second factor was confirmed; undefined or null if the user has none
 */
export function countsAsSecondFactor(
  { secondFactor, createdAt }: Pick<ShownKey, 'secondFactor' | 'createdAt'>,
  confirmedAt: Date | null | undefined,
): boolean {
  return secondFactor && confirmedAt instanceof Date && confirmedAt <= createdAt
}
