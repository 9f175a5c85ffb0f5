import type { Transaction } from '../../ground/database.js'

/** Returns whether an organization has verified the domain of an email address. */
export async function isInVerifiedDomain(
  transaction: Pick<Transaction, 'ssoDomain'>,
  organizationId: string,
  email: string,
): Promise<boolean> {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return (
    (await transaction.ssoDomain.count({ where: { organizationId, domain, verifiedAt: { not: null } } })) > 0
  )
}
