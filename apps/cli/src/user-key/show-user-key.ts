import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

export function addShowUserKey(userKey: Command, cli: Cli): void {
  userKey
    .command('show')
    .description('show whether you have an API key, and when it expires')
    .action(async () => {
      const { client } = await cli.session()
      const key = await client.call('showUserKey', {})
      cli.output.record({ ...keyFields(key), 'User API key': '(shown only when it was created)' }, key)
    })
}

/** Returns the printed fields of an API key. */
export function keyFields(key: CallOutput<'deleteUserKey'>): Record<string, string> {
  return {
    Id: key.id,
    Created: moment(key.created_at),
    Expires: key.expires_at === null ? 'never' : moment(key.expires_at),
    'Created with second factor': key.second_factor ? 'yes' : 'no',
  }
}
