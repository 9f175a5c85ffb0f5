import type { Command } from 'commander'
import type { Cli } from '../cli.js'

export function addChangePassword(password: Command, cli: Cli): void {
  password
    .command('change')
    .description('change your password; all your sessions end, your API key is kept')
    .addHelpText(
      'after',
      `
It asks for the current password and the new one. Where they do not come from a terminal, they are the lines of standard
input.`,
    )
    .action(async () => {
      const { client } = await cli.session()
      const [current_password = '', new_password = ''] = await cli.askSecrets(
        ['the current password', 'the new password'],
        'new',
      )
      await client.call('changePassword', { current_password, new_password })
      cli.output.done('Password changed.')
    })
}
