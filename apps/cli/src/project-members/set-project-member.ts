import { PROJECT_ROLES, type ProjectRole } from '@bearing/contracts/principal'
import { Argument, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { USER_ARGUMENT, findUserId } from '../members/find-user-id.js'
import { projectMemberFields } from './list-project-members.js'

export function addSetProjectMember(projectMembers: Command, cli: Cli): void {
  projectMembers
    .command('set')
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
    })
}
