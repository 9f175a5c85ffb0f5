import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'

export function addSignOns(signOns: Command, cli: Cli): void {
  addLimit(signOns.command('list'))
    .description('list the identity providers that your account is linked with')
    .action(async ({ limit }: LimitFlag) => {
      const { client } = await cli.session()
      const linked = await client.listAll('listSsoIdentities', {}, { limit })
      cli.output.table(
        linked,
        [
          ['Connection', ({ connection_name }) => connection_name],
          ['Issuer', ({ issuer }) => issuer],
          ['Subject', ({ subject }) => subject],
          ['Since', ({ created_at }) => moment(created_at)],
          ['Id', ({ id }) => id],
        ],
        'Your account is not linked with an identity provider. Link it on the account page of the dashboard.',
      )
    })
  signOns
    .command('delete')
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
    })
}
