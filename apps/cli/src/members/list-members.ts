import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'
import type { Column } from '../output/output.js'

export function addListMembers(members: Command, cli: Cli): void {
  addLimit(members.command('list'))
    .description('list the members of an organization')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listMembers', { organization }, { limit })
      cli.output.table(
        found,
        [
          ['E-mail', ({ email }) => email],
          ['Role', ({ role }) => role],
          ['Projects', (member) => projectsOf(member)],
          // Only admins receive these two.
          ...(found.some(({ second_factor }) => second_factor !== undefined)
            ? ([
                ['Second factor', ({ second_factor }) => (second_factor ? 'yes' : 'no')],
                ['Last sign-in', ({ last_sign_in_at }) => moment(last_sign_in_at ?? null, 'unknown')],
              ] satisfies Column<(typeof found)[number]>[])
            : []),
          ['Id', ({ user_id }) => user_id],
        ],
        'No members. Invite a user: bearing invitations create <email>',
      )
    })
}

export function memberFields(member: CallOutput<'setMemberRole'>): Record<string, string> {
  return { 'E-mail': member.email, Role: member.role, Projects: projectsOf(member), Id: member.user_id }
}

/** An admin is a manager of every project. */
function projectsOf({ role, projects }: CallOutput<'setMemberRole'>): string {
  return role === 'admin' ? 'all' : String(projects.length)
}
