import type { Command } from 'commander'
import type { Cli } from '../cli.js'

export function addListConnections(connections: Command, cli: Cli): void {
  connections
    .command('list')
    .description('list the single sign-on connections of an organization')
    .action(async () => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listSsoConnections', { organization })
      cli.output.table(found, [
        ['Name', ({ name }) => name],
        ['Issuer', ({ issuer }) => issuer],
        ['Enabled', ({ enabled }) => (enabled ? 'yes' : 'no')],
        ['Id', ({ id }) => id],
      ])
    })
}
