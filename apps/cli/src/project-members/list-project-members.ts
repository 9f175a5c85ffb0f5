import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'

export function addListProjectMembers(projectMembers: Command, cli: Cli): void {
  projectMembers
    .command('list')
    .description('list the members of a project')
    .action(async () => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listProjectMembers', { organization, project })
      cli.output.table(found, [
        ['E-mail', ({ email }) => email],
        ['Role', ({ role }) => role],
        ['Id', ({ user_id }) => user_id],
      ])
      if (found.length === 0)
        cli.output.say('The project has no members. Admins of the organization are its managers.')
    })
}

export function projectMemberFields(member: CallOutput<'setProjectMember'>): Record<string, string> {
  return { 'E-mail': member.email, Role: member.role, Id: member.user_id }
}
