import type { Command } from 'commander'
import type { Cli } from '../cli.js'

export function addRequestLink(password: Command, cli: Cli): void {
  password
    .command('request-link')
    .description('request an email with a link to set a new password')
    .argument('<email>', 'email address of your account')
    .action(async (email: string) => {
      await cli.anonymous().call('requestPasswordReset', { email })
      cli.output.done(
        'If an account has this email address, it receives a link that works once, for an hour.',
      )
    })
}
