import type { Command } from 'commander'
import type { Cli } from '../cli.js'

export function addResetPassword(password: Command, cli: Cli): void {
  password
    .command('reset')
    .description('set a new password with the link from the email')
    .addHelpText(
      'after',
      `
It asks for what is behind the "#" of the link, and for the new password. Where they do not come from a terminal, they are
the lines of standard input. Neither is ever an argument.`,
    )
    .action(async () => {
      const names = ["the link's secret", 'the new password']
      const [secret = '', chosen = ''] = await cli.askSecrets(names, 'new')
      await cli.anonymous().call('resetPassword', { secret, password: chosen })
      cli.output.done('Password set.')
    })
}
