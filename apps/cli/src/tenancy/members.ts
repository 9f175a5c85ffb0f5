import type { CallOutput } from '@bearing/client/call-types'
import { withAsciiDomain } from '@bearing/contracts/text/ascii-domain'
import { ORGANIZATION_ROLES, ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { listVerb, callVerb } from '../session/verb.js'
import { oneOf } from '../ground/arguments.js'
import { moment } from '../ground/output/format.js'
import type { Session } from '../session/session.js'
import { UsageError } from '../ground/usage-error.js'

export const USER_ARGUMENT = { '<user>': 'email address or user id, from "bearing members list"' } as const

listVerb('members list', {
  about: 'list the members of an organization',
  list: 'listMembers',
  columns: (found) => ({
    'E-mail': 'email',
    Role: 'role',
    Projects: (member) => projectsOf(member),
    ...(found.some(({ second_factor }) => second_factor !== undefined) && {
      'Second factor': ({ second_factor }) => second_factor ?? false,
      'Last sign-in': ({ last_sign_in_at }) => moment(last_sign_in_at ?? null, 'unknown'),
    }),
    Id: 'user_id',
  }),
  empty: 'No members. Invite a user: bearing invitations create <email>',
})

/** An admin is a manager of every project. */
function projectsOf({ role, projects }: CallOutput<'setMemberRole'>): string {
  return role === 'admin' ? 'all' : String(projects.length)
}

const MEMBER = { 'E-mail': 'email', Role: 'role', Projects: projectsOf, Id: 'user_id' } as const

callVerb('members set', {
  about: 'change the role of a member; for admins',
  takes: { ...USER_ARGUMENT, '<role>': oneOf('the new role', ORGANIZATION_ROLES) },
  examples: ['ada@example.com admin'],
  call: 'setMemberRole',
  input: async ({ user, role }, session) => ({ user_id: await findUserId(session, user), role }),
  done: 'Role changed.',
  show: MEMBER,
})

callVerb('members remove', {
  about: 'remove a member with all project roles; or leave, by removing yourself',
  takes: USER_ARGUMENT,
  examples: ['ada@example.com'],
  question: 'Remove the member? Their credentials stop working for this organization.',
  call: 'removeMember',
  input: async ({ user }, session) => ({ user_id: await findUserId(session, user) }),
  done: 'Member removed. Their credentials no longer work for this organization.',
  show: MEMBER,
})

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
  const found = members.find(({ email }) => email === withAsciiDomain(user).toLowerCase())
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
