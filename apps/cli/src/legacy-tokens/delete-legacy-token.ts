import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { moment } from '../output/format.js'

export function addDeleteLegacyToken(legacyTokens: Command, cli: Cli): void {
  legacyTokens
    .command('delete')
    .description('delete an imported token; it stops working immediately')
    .argument(
      '<id>',
      'id of the token, from "bearing legacy-tokens list"',
      idFrom('bearing legacy-tokens list'),
    )
    .action(async (id: string) => {
      const { client, organization } = await cli.session()
      const deleted = await client.call('deleteLegacyToken', { organization, legacy_token_id: id })
      cli.output.done('Legacy token deleted.')
      cli.output.record(
        {
          Id: deleted.id,
          Kind: deleted.kind,
          Description: deleted.description,
          'Last used': moment(deleted.last_used_at),
        },
        deleted,
      )
    })
}
