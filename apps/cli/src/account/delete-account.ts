import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addConfirmFlags, confirmTyped, requireTerminal, type ConfirmFlags } from '../confirm-typed.js'
import { asCode } from '../second-factor/as-code.js'

export function addDeleteAccount(account: Command, cli: Cli): void {
  addConfirmFlags(account.command('delete'), 'address')
    .description('delete your account; this cannot be undone; --confirm takes your email address')
    .addHelpText(
      'after',
      `
With an API key it asks for the account password too, and for a code if you have a second factor. Without a terminal they are
the lines of standard input. Your API key and password stop immediately, and your memberships end. Organization tokens that you created stay. The last
admin of an organization cannot be deleted.`,
    )
    .action(async ({ confirm, yes }: ConfirmFlags) => {
      if (confirm === undefined && !yes) requireTerminal(cli, '--confirm <your email address>')
      const { client } = await cli.session()
      const me = await client.call('whoAmI', {})
      if (me.kind === 'user')
        await confirmTyped(cli, me.email, 'Your account and your memberships are deleted.', {
          confirm: confirm?.toLowerCase(),
          yes,
        })
      const questions =
        me.kind === 'user' && me.proof === 'api_key'
          ? ['the account password', ...(me.second_factor ? ['the code'] : [])]
          : []
      const [password, code] = questions.length > 0 ? await cli.askSecrets(questions, 'known') : []
      const deleted = await client.call('deleteOwnAccount', {
        ...(password !== undefined && { password }),
        ...(code !== undefined && asCode(code)),
      })
      cli.output.done('Account deleted.')
      cli.output.record({ 'E-mail': deleted.email, Id: deleted.user_id }, deleted)
    })
}
