import type { Transaction } from '../../ground/database.js'

/**
 * Returns whether a user may set a password by mail. If all organizations of the user require single sign-on, a password
 * would be refused in each of them and could only be stolen. Users without an organization may.
 */
export async function mayHavePassword(transaction: Transaction, userId: string): Promise<boolean> {
  const [answer] = await transaction.$queryRaw<{ readonly may: boolean }[]>`
    SELECT coalesce(bool_or(NOT coalesce(r.sso_required, false)), true) AS may
    FROM memberships m
    LEFT JOIN organization_rules r ON r.organization_id = m.organization_id
    WHERE m.user_id = ${userId}::uuid`
  return answer?.may === true
}
