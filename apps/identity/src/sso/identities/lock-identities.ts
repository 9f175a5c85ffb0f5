import type { Transaction } from '../../ground/database.js'
import { Prisma } from '../../generated/prisma/client.js'

/**
 * Holds the links of a user, or of a connection, before they end: always after the sessions, and in the same order, or an
 * account and a connection that end at once could wait for each other.
 */
export async function lockIdentities(
  transaction: Transaction,
  of: { readonly userId: string } | { readonly connectionId: string },
): Promise<void> {
  const which =
    'userId' in of
      ? Prisma.sql`user_id = ${of.userId}::uuid`
      : Prisma.sql`connection_id = ${of.connectionId}::uuid`
  await transaction.$queryRaw`SELECT 1 FROM sso_identities WHERE ${which} ORDER BY id FOR UPDATE`
}
