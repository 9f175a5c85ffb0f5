import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { UsageError } from '../usage-error.js'

/** `bearing account delete` */
export function addDeleteAccount(account: Command, cli: Cli): void {
  account
    .command('delete')
    .description('delete your account; it cannot be undone')
    .requiredOption('--confirm <address>', 'your e-mail address, to show that you mean it')
    .addHelpText(
      'after',
      `
With an API key it asks for the account password too; where that does not come from a terminal, it is the line of standard
input. Your API key and password stop at once, and your memberships end. Organization tokens that you created stay. The last
admin of an organization cannot be deleted.`,
    )
    .action(async ({ confirm }: { confirm: string }) => {
      const { client } = await cli.session()
      const me = await client.call('whoAmI', {})
      if (me.kind === 'user' && me.email !== confirm.toLowerCase())
        throw new UsageError(
          'The address to confirm with is not that of your account.',
          `You are ${me.email}.`,
        )
      const [password] =
        me.kind === 'user' && me.proof === 'api_key'
          ? await cli.askSecrets(['the account password'], 'known')
          : []
      const deleted = await client.call('deleteOwnAccount', { ...(password !== undefined && { password }) })
      cli.output.done('Account deleted.')
      cli.output.record({ 'E-mail': deleted.email, Id: deleted.user_id }, deleted)
    })
}
