import type { Command } from 'commander'
import type { Cli } from '../cli.js'

interface Flags {
  readonly link?: boolean
}

/** `bearing password set` */
export function addSetPassword(password: Command, cli: Cli): void {
  password
    .command('set')
    .description('change your password; all your sessions end, your API key is kept')
    .option('--link', 'set it with the link from the email instead of the current password')
    .addHelpText(
      'after',
      `
It asks for the current password and the new one; with --link for what is behind the "#" of the link, and for the new
password. If they do not come from a terminal, they are the lines of standard input. None is ever an argument.`,
    )
    .action(async ({ link }: Flags) => {
      await (link ? resetPassword(cli) : changePassword(cli))
    })
}

async function changePassword(cli: Cli): Promise<void> {
  const { client } = await cli.session()
  const names = ['the current password', 'the new password']
  const [current_password = '', new_password = ''] = await cli.askSecrets(names, 'new')
  await client.call('changePassword', { current_password, new_password })
  cli.output.done('Password changed.')
}

async function resetPassword(cli: Cli): Promise<void> {
  const names = ["the link's secret", 'the new password']
  const [secret = '', chosen = ''] = await cli.askSecrets(names, 'new')
  await cli.anonymous().call('resetPassword', { secret, password: chosen })
  cli.output.done('Password set.')
}
