import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'

export function addListConnections(connections: Command, cli: Cli): void {
  addLimit(connections.command('list'))
    .description('list the single sign-on connections of an organization')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listSsoConnections', { organization }, { limit })
      cli.output.table(
        found,
        [
          ['Name', ({ name }) => name],
          ['Issuer', ({ issuer }) => issuer],
          ['Enabled', ({ enabled }) => (enabled ? 'yes' : 'no')],
          ['Id', ({ id }) => id],
        ],
        'No identity providers yet. Add one: bearing sso connections create',
      )
    })
}
