import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import type { Session } from '../session.js'
import { UsageError } from '../usage-error.js'

export const USER_ARGUMENT = ['<user>', 'email address or user id, from "bearing members list"'] as const

/**
 * Returns the id of a user. Email addresses are resolved among the members of the organization; with an organization
 * auth token, which cannot list those, among the members of the project.
 *
 * @throws UsageError if no member has the email address
 */
export async function findUserId(session: Session, user: string): Promise<string> {
  if (!user.includes('@')) return user
  const { client, organization } = session
  const isToken = session.selected.credential.kind === ORGANIZATION_TOKEN
  const members = isToken
    ? await client.listAll('listProjectMembers', { organization, project: session.project })
    : await client.listAll('listMembers', { organization })
  const found = members.find(({ email }) => email === user.toLowerCase())
  if (found) return found.user_id
  throw isToken
    ? new UsageError(
        'No member of the project has this email address.',
        'To add a member with an organization auth token, pass the user id instead: "bearing members list" shows it to users.',
      )
    : new UsageError(
        'No member of the organization has this email address.',
        '"bearing members list" shows the members.',
      )
}
