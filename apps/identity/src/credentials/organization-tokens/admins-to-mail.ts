import type { Transaction } from '../../ground/database.js'

/** The most admins of an organization who are notified. */
const MAX_ADMINS = 1_000

/** Returns the user ids of the admins who receive mails about tokens of an organization. */
export async function adminsToMail(transaction: Transaction, organizationId: string): Promise<string[]> {
  const admins = await transaction.membership.findMany({
    where: { organizationId, role: 'admin' },
    orderBy: { userId: 'asc' },
    take: MAX_ADMINS,
    select: { userId: true },
  })
  return admins.map(({ userId }) => userId)
}
