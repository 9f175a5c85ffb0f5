import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addAcceptInvitation } from './accept-invitation.js'
import { addCreateInvitation } from './create-invitation.js'
import { addListInvitations } from './list-invitations.js'
import { addResendInvitation } from './resend-invitation.js'
import { addRevokeInvitation } from './revoke-invitation.js'

export function addInvitations(program: Command, cli: Cli): void {
  const group = program.command('invitations').description('the invitations of an organization')
  addCreateInvitation(group, cli)
  addListInvitations(group, cli)
  addResendInvitation(group, cli)
  addRevokeInvitation(group, cli)
  addAcceptInvitation(program.command('invitation').description('an invitation that you received'), cli)
}
