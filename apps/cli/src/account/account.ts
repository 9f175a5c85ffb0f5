import { ID, verb, callVerb, listVerb } from '../session/verb.js'
import { asCode } from '../session/cli.js'
import { confirmFlags, confirmTyped, requireTerminal } from '../session/confirm-typed.js'
import { idOf } from '../ground/arguments.js'

verb('account delete', {
  about: 'delete your account; this cannot be undone; --confirm takes your email address',
  takes: confirmFlags('address'),
  help: `With an API key it asks for the account password too, and for a code if you have a second factor. Without a terminal they are
the lines of standard input. Your API key and password stop immediately, and your memberships end. Organization tokens that you created stay. The last
admin of an organization cannot be deleted.`,
  examples: ['--confirm ada@example.com'],
  run: async (cli, { confirm, yes }) => {
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
  },
})

listVerb('account sign-ons list', {
  about: 'list the identity providers that your account is linked with',
  list: 'listSsoIdentities',
  columns: {
    Connection: 'connection_name',
    Issuer: 'issuer',
    Subject: 'subject',
    Since: 'created_at',
    Id: 'id',
  },
  empty:
    'Your account is not linked with an identity provider. Link it on the account page of the dashboard.',
})

callVerb('account sign-ons delete', {
  about: 'unlink your account from an identity provider; sessions from it end',
  takes: {
    '<id>': idOf('id of the link, from "bearing account sign-ons list"', 'bearing account sign-ons list'),
  },
  examples: [ID],
  question: 'Unlink your account? Its sessions from this provider end.',
  call: 'deleteSsoIdentity',
  input: ({ id: sso_identity_id }) => ({ sso_identity_id }),
  done: 'Account unlinked. Its sessions from this provider have ended.',
  show: {},
})
