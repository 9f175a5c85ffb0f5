import type { CallOutput } from '@bearing/client/call-types'
import { PROJECT_ROLES, type ProjectRole } from '@bearing/contracts/principal'
import { Argument } from 'commander'
import { verb } from '../session/verb.js'
import { addLimit, type LimitFlag } from '../ground/arguments.js'
import { USER_ARGUMENT, findUserId } from './members.js'

verb('project-members list', {}, (command, cli) =>
  addLimit(command)
    .description('list the members of a project')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listProjectMembers', { organization, project }, { limit })
      cli.output.table(
        found,
        { 'E-mail': 'email', Role: 'role', Id: 'user_id' },
        'The project has no members; admins of the organization are its managers. Add one: bearing project-members set <user> <role>',
      )
    }),
)

function projectMemberFields(member: CallOutput<'setProjectMember'>): Record<string, string> {
  return { 'E-mail': member.email, Role: member.role, Id: member.user_id }
}

verb('project-members set', { examples: ['ada@example.com manager'] }, (command, cli) =>
  command
    .description('set the role of a member in a project; for its managers')
    .argument(...USER_ARGUMENT)
    .addArgument(new Argument('<role>', 'the new role').choices(PROJECT_ROLES))
    .action(async (user: string, role: ProjectRole) => {
      const session = await cli.session()
      const { client, organization, project } = session
      const user_id = await findUserId(session, user)
      const member = await client.call('setProjectMember', { organization, project, user_id, role })
      cli.output.done('Role set.')
      cli.output.record(projectMemberFields(member), member)
    }),
)

verb(
  'project-members remove',
  { examples: ['ada@example.com'], question: 'Remove the member from the project?' },
  (command, cli) =>
    command
      .description('remove a member from a project; they remain in the organization')
      .argument(...USER_ARGUMENT)
      .action(async (user: string) => {
        const session = await cli.session()
        const { client, organization, project } = session
        const user_id = await findUserId(session, user)
        const removed = await client.call('removeProjectMember', { organization, project, user_id })
        cli.output.done('Member removed from the project.')
        cli.output.record(projectMemberFields(removed), removed)
      }),
)
