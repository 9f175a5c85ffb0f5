import type { Command } from 'commander'
import type { Cli } from '../cli.js'

export function addAcceptInvitation(invitation: Command, cli: Cli): void {
  invitation
    .command('accept')
    .description('accept an invitation that you received')
    .option('--existing-account', 'join with your existing account for this email address')
    .addHelpText(
      'after',
      `
It asks for what is behind the "#" of the link, and for the password of your new account. Where they do not come from a
terminal, they are the lines of standard input. Neither is ever an argument.`,
    )
    .action(async ({ existingAccount = false }: { existingAccount?: boolean }) => {
      const names = ["the link's secret", ...(existingAccount ? [] : ['the new password'])]
      const [secret = '', password] = await cli.askSecrets(names, existingAccount ? 'known' : 'new')
      const accepted = await cli.anonymous().call('acceptInvitation', { secret, password })
      cli.output.done(accepted.account_created ? 'Your account was created.' : 'Your account has joined.')
      cli.output.record({ 'E-mail': accepted.email, Id: accepted.user_id }, accepted)
    })
}
