import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { USER_ARGUMENT, findUserId } from '../members/find-user-id.js'
import { projectMemberFields } from './list-project-members.js'

export function addRemoveProjectMember(projectMembers: Command, cli: Cli): void {
  projectMembers
    .command('remove')
    .description('remove a member from a project; they remain in the organization')
    .argument(...USER_ARGUMENT)
    .action(async (user: string) => {
      const session = await cli.session()
      const { client, organization, project } = session
      const user_id = await findUserId(session, user)
      const removed = await client.call('removeProjectMember', { organization, project, user_id })
      cli.output.done('Member removed from the project.')
      cli.output.record(projectMemberFields(removed), removed)
    })
}
