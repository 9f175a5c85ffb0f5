import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

export function addDeleteUserKey(userKey: Command, cli: Cli): void {
  userKey
    .command('delete')
    .description('delete your API key; it stops working immediately')
    .action(async () => {
      const { client } = await cli.session()
      const key = await client.call('deleteUserKey', {})
      cli.output.done('User API key deleted.')
      cli.output.record({ Id: key.id, Created: moment(key.created_at) }, key)
    })
}
