import type { Command } from 'commander'
import type { Cli } from '../cli.js'

/** `bearing password reset-request` */
export function addRequestPasswordReset(password: Command, cli: Cli): void {
  password
    .command('reset-request')
    .description('have a link mailed to you with which you can set a new password')
    .argument('<email>', 'e-mail address of your account')
    .action(async (email: string) => {
      await cli.anonymous().call('requestPasswordReset', { email })
      cli.output.done(
        'If there is an account with this address, a link is on its way. It works once, for an hour.',
      )
    })
}
