import type { Session } from '../session.js'
import { UsageError } from '../usage-error.js'

export const INVITATION_ARGUMENT = [
  '<invitation>',
  'email address or id, from "bearing invitations list"',
] as const

/**
 * Returns the id of an invitation; for an email address, of the newest one.
 *
 * @throws UsageError if the email address was not invited
 */
export async function findInvitationId({ client, organization }: Session, named: string): Promise<string> {
  if (!named.includes('@')) return named
  const invitations = await client.listAll('listInvitations', { organization })
  const found = invitations.find(({ email }) => email === named.toLowerCase())
  if (found) return found.id
  throw new UsageError(
    'No invitation has this email address.',
    '"bearing invitations list" shows all invitations.',
  )
}
