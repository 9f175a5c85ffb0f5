import {
  ORGANIZATION_ROLES,
  PROJECT_ROLES,
  type OrganizationRole,
  type ProjectRole,
} from '@bearing/contracts/principal'
import type { CallOutput } from '@bearing/client/call-types'
import { InvalidArgumentError, Option } from 'commander'
import { verb } from '../session/verb.js'
import { findProjectIds } from './find-project-ids.js'
import type { Session } from '../session/session.js'
import { addLimit, type LimitFlag } from '../ground/arguments.js'
import { moment } from '../ground/output/format.js'
import { UsageError } from '../ground/usage-error.js'

interface Flags {
  readonly role: OrganizationRole
  readonly projectRole: readonly ProjectRoleOf[]
}

interface ProjectRoleOf {
  readonly slug: string
  readonly role: ProjectRole
}

verb(
  'invitations create',
  { examples: ['ada@example.com --role member --project-role thermostats=member'] },
  (command, cli) =>
    command
      .description('invite a user to an organization by email; for admins')
      .argument('<email>', 'email address; only this user can use the link')
      .addOption(
        new Option('--role <role>', 'role in the organization').choices(ORGANIZATION_ROLES).default('member'),
      )
      .option(
        '--project-role <project=role>',
        `role in a project, by its slug: ${PROJECT_ROLES.join(', ')}; repeatable`,
        readProjectRole,
        [],
      )
      .action(async (email: string, { role, projectRole }: Flags) => {
        const session = await cli.session()
        const { client, organization } = session
        const projects = await findProjects(session, projectRole)
        const invitation = await client.call('createInvitation', { organization, email, role, projects })
        cli.output.done('Invited. The emailed link works once, for 72 hours.')
        cli.output.record(invitationFields(invitation), invitation)
      }),
)

function readProjectRole(text: string, before: readonly ProjectRoleOf[]): ProjectRoleOf[] {
  const [slug = '', name] = text.split('=')
  const role = PROJECT_ROLES.find((candidate) => candidate === name)
  if (slug === '' || !role) throw new InvalidArgumentError(`Use project=${PROJECT_ROLES.join('|')}.`)
  return [...before, { slug, role }]
}

async function findProjects(
  session: Session,
  wanted: readonly ProjectRoleOf[],
): Promise<{ project_id: string; role: ProjectRole }[]> {
  const ids = await findProjectIds(
    session,
    wanted.map(({ slug }) => slug),
  )
  return wanted.map(({ role }, index) => ({ project_id: ids[index] ?? '', role }))
}

verb('invitations list', {}, (command, cli) =>
  addLimit(command)
    .description('list the invitations of an organization and their state; for admins')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listInvitations', { organization }, { limit })
      cli.output.table(
        found,
        {
          'E-mail': 'email',
          Role: 'role',
          Projects: ({ projects }) => String(projects.length),
          State: 'state',
          Expires: 'expires_at',
          Id: 'id',
        },
        'No invitations yet. Invite a user: bearing invitations create <email>',
      )
    }),
)

function invitationFields(invitation: CallOutput<'createInvitation'>): Record<string, string> {
  return {
    'E-mail': invitation.email,
    Role: invitation.role,
    Projects: String(invitation.projects.length),
    State: invitation.state,
    Expires: moment(invitation.expires_at),
    Id: invitation.id,
  }
}

verb('invitations resend', { examples: ['ada@example.com'] }, (command, cli) =>
  command
    .description('email a new link and invalidate the previous one; for admins')
    .argument(...INVITATION_ARGUMENT)
    .action(async (named: string) => {
      const session = await cli.session()
      const { client, organization } = session
      const invitation_id = await findInvitationId(session, named)
      const invitation = await client.call('resendInvitation', { organization, invitation_id })
      cli.output.done('Sent again. The previous link no longer works.')
      cli.output.record(invitationFields(invitation), invitation)
    }),
)

verb(
  'invitations delete',
  { examples: ['ada@example.com'], question: 'Delete the invitation? Its link stops working.' },
  (command, cli) =>
    command
      .description('revoke an invitation and its link; for admins')
      .argument(...INVITATION_ARGUMENT)
      .action(async (named: string) => {
        const session = await cli.session()
        const { client, organization } = session
        const invitation_id = await findInvitationId(session, named)
        const invitation = await client.call('revokeInvitation', { organization, invitation_id })
        cli.output.done('Revoked. The link no longer works.')
        cli.output.record(invitationFields(invitation), invitation)
      }),
)

verb('invitations accept', {}, (command, cli) =>
  command
    .description('accept an invitation that you received')
    .option('--existing-account', 'join with your existing account for this email address')
    .addHelpText(
      'after',
      `
It asks for what is behind the "#" of the link, and for the password of your new account. Where they do not come from a
terminal, they are the lines of standard input. Neither is ever an argument.`,
    )
    .action(async ({ existingAccount = false }: { existingAccount?: boolean }) => {
      const names = ["the link's secret", ...(existingAccount ? [] : ['the new password'])]
      const [secret = '', password] = await cli.askSecrets(names, existingAccount ? 'known' : 'new')
      const accepted = await (await cli.anonymous()).call('acceptInvitation', { secret, password })
      cli.output.done(accepted.account_created ? 'Your account was created.' : 'Your account has joined.')
      cli.output.record({ 'E-mail': accepted.email, Id: accepted.user_id }, accepted)
    }),
)

const INVITATION_ARGUMENT = ['<invitation>', 'email address or id, from "bearing invitations list"'] as const

/**
 * Returns the id of an invitation; for an email address, of the newest one.
 *
 * @throws UsageError if the email address was not invited
 */
async function findInvitationId({ client, organization }: Session, named: string): Promise<string> {
  if (!named.includes('@')) return named
  const invitations = await client.listAll('listInvitations', { organization })
  const found = invitations.find(({ email }) => email === named.toLowerCase())
  if (found) return found.id
  throw new UsageError(
    'No invitation has this email address.',
    '"bearing invitations list" shows all invitations.',
  )
}
