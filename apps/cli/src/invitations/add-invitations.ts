import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addAcceptInvitation } from './accept-invitation.js'
import { addCreateInvitation } from './create-invitation.js'
import { addListInvitations } from './list-invitations.js'
import { addResendInvitation } from './resend-invitation.js'
import { addDeleteInvitation } from './delete-invitation.js'

export function addInvitations(program: Command, cli: Cli): void {
  const group = program
    .command('invitations')
    .description('the invitations of an organization, and those that you received')
  addCreateInvitation(group, cli)
  addListInvitations(group, cli)
  addResendInvitation(group, cli)
  addDeleteInvitation(group, cli)
  addAcceptInvitation(group, cli)
}
