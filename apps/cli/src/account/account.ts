import { ID, verb } from '../session/verb.js'
import { asCode } from '../session/cli.js'
import {
  addConfirmFlags,
  confirmTyped,
  requireTerminal,
  type ConfirmFlags,
} from '../session/confirm-typed.js'
import { idFrom, addLimit, type LimitFlag } from '../ground/arguments.js'

verb('account delete', { examples: ['--confirm ada@example.com'] }, (command, cli) =>
  addConfirmFlags(command, 'address')
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
    }),
)

verb('account sign-ons list', {}, (command, cli) =>
  addLimit(command)
    .description('list the identity providers that your account is linked with')
    .action(async ({ limit }: LimitFlag) => {
      const { client } = await cli.session()
      const linked = await client.listAll('listSsoIdentities', {}, { limit })
      cli.output.table(
        linked,
        {
          Connection: 'connection_name',
          Issuer: 'issuer',
          Subject: 'subject',
          Since: 'created_at',
          Id: 'id',
        },
        'Your account is not linked with an identity provider. Link it on the account page of the dashboard.',
      )
    }),
)

verb(
  'account sign-ons delete',
  { examples: [ID], question: 'Unlink your account? Its sessions from this provider end.' },
  (command, cli) =>
    command
      .description('unlink your account from an identity provider; sessions from it end')
      .argument(
        '<id>',
        'id of the link, from "bearing account sign-ons list"',
        idFrom('bearing account sign-ons list'),
      )
      .action(async (sso_identity_id: string) => {
        const { client } = await cli.session()
        const unlinked = await client.call('deleteSsoIdentity', { sso_identity_id })
        cli.output.done('Account unlinked. Its sessions from this provider have ended.')
        cli.output.record({}, unlinked)
      }),
)
