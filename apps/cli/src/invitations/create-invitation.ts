import {
  ORGANIZATION_ROLES,
  PROJECT_ROLES,
  type OrganizationRole,
  type ProjectRole,
} from '@bearing/contracts/principal'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { findProjectIds } from '../projects/find-project-ids.js'
import type { Session } from '../session.js'
import { invitationFields } from './list-invitations.js'

interface Flags {
  readonly role: OrganizationRole
  readonly projectRole: readonly ProjectRoleOf[]
}

interface ProjectRoleOf {
  readonly slug: string
  readonly role: ProjectRole
}

export function addCreateInvitation(invitations: Command, cli: Cli): void {
  invitations
    .command('create')
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
    })
}

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
