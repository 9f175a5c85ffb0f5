import type { Session } from '../session.js'
import { UsageError } from '../usage-error.js'

/** What a user is named by on the command line. */
export const USER_ARGUMENT = ['<user>', 'e-mail address or user id, from "bearing members list"'] as const

/**
 * The id of a user who is named by id or e-mail address. An address is looked up among the members of the organization.
 *
 * @throws UsageError where no member has the address
 */
export async function findUserId({ client, organization }: Session, user: string): Promise<string> {
  if (!user.includes('@')) return user
  const members = await client.listAll('listMembers', { organization })
  const found = members.find(({ email }) => email === user.toLowerCase())
  if (found) return found.user_id
  throw new UsageError(
    'No member of the organization has this e-mail address.',
    '"bearing members list" shows who is a member.',
  )
}
