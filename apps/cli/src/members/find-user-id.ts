import type { Session } from '../session.js'
import { UsageError } from '../usage-error.js'

/** The argument for a user. */
export const USER_ARGUMENT = ['<user>', 'email address or user id, from "bearing members list"'] as const

/**
 * Returns the id of a user. Email addresses are resolved among the members of the organization.
 *
 * @throws UsageError if no member has the email address
 */
export async function findUserId({ client, organization }: Session, user: string): Promise<string> {
  if (!user.includes('@')) return user
  const members = await client.listAll('listMembers', { organization })
  const found = members.find(({ email }) => email === user.toLowerCase())
  if (found) return found.user_id
  throw new UsageError(
    'No member of the organization has this email address.',
    '"bearing members list" shows the members.',
  )
}
