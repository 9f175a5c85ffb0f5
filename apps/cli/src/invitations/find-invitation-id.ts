import type { Session } from '../session.js'
import { UsageError } from '../usage-error.js'

/** What an invitation is named by on the command line. */
export const INVITATION_ARGUMENT = [
  '<invitation>',
  'e-mail address or id, from "bearing invitations list"',
] as const

/**
 * The id of an invitation that is named by id or e-mail address. By address it is the newest one.
 *
 * @throws UsageError where nobody with the address was invited
 */
export async function findInvitationId({ client, organization }: Session, named: string): Promise<string> {
  if (!named.includes('@')) return named
  const invitations = await client.listAll('listInvitations', { organization })
  const found = invitations.find(({ email }) => email === named.toLowerCase())
  if (found) return found.id
  throw new UsageError(
    'Nobody with this e-mail address was invited.',
    '"bearing invitations list" shows who was.',
  )
}
