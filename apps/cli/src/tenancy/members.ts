import type { CallOutput } from '@bearing/client/call-types'
import { ORGANIZATION_ROLES, type OrganizationRole, ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { Argument } from 'commander'
import { verb } from '../session/verb.js'
import { addLimit, type LimitFlag } from '../ground/arguments.js'
import { moment } from '../ground/output/format.js'
import type { Session } from '../session/session.js'
import { UsageError } from '../ground/usage-error.js'

verb('members list', {}, (command, cli) =>
  addLimit(command)
    .description('list the members of an organization')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listMembers', { organization }, { limit })
      cli.output.table(
        found,
        {
          'E-mail': 'email',
          Role: 'role',
          Projects: (member) => projectsOf(member),
          ...(found.some(({ second_factor }) => second_factor !== undefined) && {
            'Second factor': ({ second_factor }) => second_factor ?? false,
            'Last sign-in': ({ last_sign_in_at }) => moment(last_sign_in_at ?? null, 'unknown'),
          }),
          Id: 'user_id',
        },
        'No members. Invite a user: bearing invitations create <email>',
      )
    }),
)

function memberFields(member: CallOutput<'setMemberRole'>): Record<string, string> {
  return { 'E-mail': member.email, Role: member.role, Projects: projectsOf(member), Id: member.user_id }
}

/** An admin is a manager of every project. */
function projectsOf({ role, projects }: CallOutput<'setMemberRole'>): string {
  return role === 'admin' ? 'all' : String(projects.length)
}

verb('members set', { examples: ['ada@example.com admin'] }, (command, cli) =>
  command
    .description('change the role of a member; for admins')
    .argument(...USER_ARGUMENT)
    .addArgument(new Argument('<role>', 'the new role').choices(ORGANIZATION_ROLES))
    .action(async (user: string, role: OrganizationRole) => {
      const session = await cli.session()
      const { client, organization } = session
      const user_id = await findUserId(session, user)
      const member = await client.call('setMemberRole', { organization, user_id, role })
      cli.output.done('Role changed.')
      cli.output.record(memberFields(member), member)
    }),
)

verb(
  'members remove',
  {
    examples: ['ada@example.com'],
    question: 'Remove the member? Their credentials stop working for this organization.',
  },
  (command, cli) =>
    command
      .description('remove a member with all project roles; or leave, by removing yourself')
      .argument(...USER_ARGUMENT)
      .action(async (user: string) => {
        const session = await cli.session()
        const { client, organization } = session
        const user_id = await findUserId(session, user)
        const removed = await client.call('removeMember', { organization, user_id })
        cli.output.done('Member removed. Their credentials no longer work for this organization.')
        cli.output.record(memberFields(removed), removed)
      }),
)

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
