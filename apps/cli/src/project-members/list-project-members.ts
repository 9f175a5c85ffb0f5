import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'

export function addListProjectMembers(projectMembers: Command, cli: Cli): void {
  addLimit(projectMembers.command('list'))
    .description('list the members of a project')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listProjectMembers', { organization, project }, { limit })
      cli.output.table(
        found,
        [
          ['E-mail', ({ email }) => email],
          ['Role', ({ role }) => role],
          ['Id', ({ user_id }) => user_id],
        ],
        'The project has no members; admins of the organization are its managers. Add one: bearing project-members set <user> <role>',
      )
    })
}

export function projectMemberFields(member: CallOutput<'setProjectMember'>): Record<string, string> {
  return { 'E-mail': member.email, Role: member.role, Id: member.user_id }
}
