import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'

export function addDeleteConnection(connections: Command, cli: Cli): void {
  connections
    .command('delete')
    .description('delete a single sign-on connection, with its links and sessions')
    .argument('<id>', 'id of the connection', idFrom('bearing sso connections list'))
    .action(async (connection_id: string) => {
      const { client, organization } = await cli.session()
      await client.call('deleteSsoConnection', { organization, connection_id })
      cli.output.done('Connection deleted. Its sessions have ended.')
    })
}
