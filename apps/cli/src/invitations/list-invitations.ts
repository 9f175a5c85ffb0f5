import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'

export function addListInvitations(invitations: Command, cli: Cli): void {
  addLimit(invitations.command('list'))
    .description('list the invitations of an organization and their state; for admins')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listInvitations', { organization }, { limit })
      cli.output.table(
        found,
        [
          ['E-mail', ({ email }) => email],
          ['Role', ({ role }) => role],
          ['Projects', ({ projects }) => String(projects.length)],
          ['State', ({ state }) => state],
          ['Expires', ({ expires_at }) => moment(expires_at)],
          ['Id', ({ id }) => id],
        ],
        'No invitations yet. Invite a user: bearing invitations create <email>',
      )
    })
}

export function invitationFields(invitation: CallOutput<'createInvitation'>): Record<string, string> {
  return {
    'E-mail': invitation.email,
    Role: invitation.role,
    Projects: String(invitation.projects.length),
    State: invitation.state,
    Expires: moment(invitation.expires_at),
    Id: invitation.id,
  }
}
