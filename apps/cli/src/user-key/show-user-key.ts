import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

/** `bearing user-key show` */
export function addShowUserKey(userKey: Command, cli: Cli): void {
  userKey
    .command('show')
    .description('tell whether you have an API key, and since when')
    .action(async () => {
      const { client } = await cli.session()
      const key = await client.call('showUserKey', {})
      cli.output.record(
        {
          Id: key.id,
          Created: moment(key.created_at),
          'User API key': 'was shown once, when it was created',
        },
        key,
      )
    })
}
