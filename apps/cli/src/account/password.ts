import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'

verb('password set', {
  about: 'change your password; all your sessions end, your API key is kept',
  takes: { '--link': 'set it with the link from the email instead of the current password' },
  help: `It asks for the current password and the new one; with --link for what is behind the "#" of the link, and for the new
password. If they do not come from a terminal, they are the lines of standard input. None is ever an argument.`,
  examples: ['', '--link'],
  run: async (cli, { link }) => {
    await (link ? resetPassword(cli) : changePassword(cli))
  },
})

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
  await (await cli.anonymous()).call('resetPassword', { secret, password: chosen })
  cli.output.done('Password set.')
}

verb('password request-link', {
  about: 'request an email with a link to set a new password',
  takes: { '<email>': 'email address of your account' },
  examples: ['ada@example.com'],
  run: async (cli, { email }) => {
    await (await cli.anonymous()).call('requestPasswordReset', { email })
    cli.output.done('If an account has this email address, it receives a link that works once, for an hour.')
  },
})
