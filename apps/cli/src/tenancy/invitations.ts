import { withAsciiDomain } from '@bearing/contracts/text/ascii-domain'
import type { CallOutput } from '@bearing/client/call-types'
import { ORGANIZATION_ROLES, PROJECT_ROLES } from '@bearing/contracts/principal'
import { InvalidArgumentError } from 'commander'
import { verb, listVerb, callVerb } from '../session/verb.js'
import { findProjectIds } from './find-project-ids.js'
import type { Session } from '../session/session.js'
import { oneOf, repeated } from '../ground/arguments.js'
import { UsageError } from '../ground/usage-error.js'
import { type Cells } from '../ground/output/cells.js'

const INVITATION_ARGUMENT = {
  '<invitation>': 'email address or id, from "bearing invitations list"',
} as const

const INVITATION: Cells<CallOutput<'createInvitation'>> = {
  ...{ 'E-mail': 'email', Role: 'role' },
  Projects: ({ projects }) => String(projects.length),
  ...{ State: 'state', Expires: 'expires_at', Id: 'id' },
}

callVerb('invitations create', {
  about: 'invite a user to an organization by email; for admins',
  takes: {
    '<email>': 'email address; only this user can use the link',
    '--role <role>': { ...oneOf('role in the organization', ORGANIZATION_ROLES), initial: 'member' },
    '--project-role <project=role>': {
      ...repeated(`role in a project, by its slug: ${PROJECT_ROLES.join(', ')}; repeatable`, readProjectRole),
      initial: [],
    },
  },
  examples: ['ada@example.com --role member --project-role thermostats=member'],
  call: 'createInvitation',
  input: async ({ email, role, projectRole }, session) => {
    const slugs = projectRole.map(({ slug }) => slug)
    const ids = await findProjectIds(session, slugs)
    const projects = projectRole.map(({ role }, index) => ({ project_id: ids[index] ?? '', role }))
    return { email, role, projects }
  },
  done: 'Invited. The emailed link works once, for 72 hours.',
  show: INVITATION,
})

function readProjectRole(text: string) {
  const [slug = '', name] = text.split('=')
  const role = PROJECT_ROLES.find((candidate) => candidate === name)
  if (slug === '' || !role) throw new InvalidArgumentError(`Use project=${PROJECT_ROLES.join('|')}.`)
  return { slug, role }
}

listVerb('invitations list', {
  about: 'list the invitations of an organization and their state; for admins',
  list: 'listInvitations',
  columns: INVITATION,
  empty: 'No invitations yet. Invite a user: bearing invitations create <email>',
})

callVerb('invitations resend', {
  about: 'email a new link and invalidate the previous one; for admins',
  takes: INVITATION_ARGUMENT,
  examples: ['ada@example.com'],
  call: 'resendInvitation',
  input: async ({ invitation }, session) => ({ invitation_id: await findInvitationId(session, invitation) }),
  done: 'Sent again. The previous link no longer works.',
  show: INVITATION,
})

callVerb('invitations delete', {
  about: 'revoke an invitation and its link; for admins',
  takes: INVITATION_ARGUMENT,
  examples: ['ada@example.com'],
  question: 'Delete the invitation? Its link stops working.',
  call: 'revokeInvitation',
  input: async ({ invitation }, session) => ({ invitation_id: await findInvitationId(session, invitation) }),
  done: 'Revoked. The link no longer works.',
  show: INVITATION,
})

verb('invitations accept', {
  about: 'accept an invitation that you received',
  takes: { '--existing-account': 'join with your existing account for this email address' },
  help: `It asks for what is behind the "#" of the link, and for the password of your new account. Where they do not come from a
terminal, they are the lines of standard input. Neither is ever an argument.`,
  run: async (cli, { existingAccount = false }) => {
    const names = ["the link's secret", ...(existingAccount ? [] : ['the new password'])]
    const [secret = '', password] = await cli.askSecrets(names, existingAccount ? 'known' : 'new')
    const accepted = await (await cli.anonymous()).call('acceptInvitation', { secret, password })
    cli.output.done(accepted.account_created ? 'Your account was created.' : 'Your account has joined.')
    cli.output.record({ 'E-mail': accepted.email, Id: accepted.user_id }, accepted)
  },
})

/**
 * Returns the id of an invitation; for an email address, of the newest one.
 *
 * @throws UsageError if the email address was not invited
 */
async function findInvitationId({ client, organization }: Session, named: string): Promise<string> {
  if (!named.includes('@')) return named
  const invitations = await client.listAll('listInvitations', { organization })
  const found = invitations.find(({ email }) => email === withAsciiDomain(named).toLowerCase())
  if (found) return found.id
  throw new UsageError(
    'No invitation has this email address.',
    '"bearing invitations list" shows all invitations.',
  )
}
