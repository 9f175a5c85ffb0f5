import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { INVITATION_ARGUMENT, findInvitationId } from './find-invitation-id.js'
import { invitationFields } from './list-invitations.js'

export function addDeleteInvitation(invitations: Command, cli: Cli): void {
  invitations
    .command('delete')
    .description('revoke an invitation and its link; for admins')
    .argument(...INVITATION_ARGUMENT)
    .action(async (named: string) => {
      const session = await cli.session()
      const { client, organization } = session
      const invitation_id = await findInvitationId(session, named)
      const invitation = await client.call('revokeInvitation', { organization, invitation_id })
      cli.output.done('Revoked. The link no longer works.')
      cli.output.record(invitationFields(invitation), invitation)
    })
}
