import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

/** `bearing user-key create` */
export function addCreateUserKey(userKey: Command, cli: Cli): void {
  userKey
    .command('create')
    .description('create your API key, replacing the one before; it is shown once')
    .action(async () => {
      const { client } = await cli.session()
      const key = await client.call('cycleUserKey', {})
      cli.output.done('User API key created. The key before, if there was one, does not work any more.')
      cli.output.record({ 'User API key': key.api_key, Id: key.id, Created: moment(key.created_at) }, key)
      cli.output.notice('The key is shown this once and never again. Store it where secrets belong.')
    })
}
