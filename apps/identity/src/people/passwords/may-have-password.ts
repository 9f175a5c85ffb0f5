import type { Transaction } from '../../ground/database.js'

/**
 * Whether a user may set a password by mail: not where every organization they belong to demands single sign-on, since a
 * password would be refused in all of them and only be one more thing to steal. Who belongs to none may.
 */
export async function mayHavePassword(transaction: Transaction, userId: string): Promise<boolean> {
  const [answer] = await transaction.$queryRaw<{ readonly may: boolean }[]>`
    SELECT coalesce(bool_or(NOT coalesce(r.sso_required, false)), true) AS may
    FROM memberships m
    LEFT JOIN organization_rules r ON r.organization_id = m.organization_id
    WHERE m.user_id = ${userId}::uuid`
  return answer?.may === true
}
