import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { printConnection } from './print-connection.js'

export function addShowConnection(connections: Command, cli: Cli): void {
  connections
    .command('show')
    .description('show a single sign-on connection')
    .argument('<id>', 'id of the connection', idFrom('bearing sso connections list'))
    .action(async (connection_id: string) => {
      const { client, organization } = await cli.session()
      printConnection(cli, await client.call('showSsoConnection', { organization, connection_id }))
    })
}
