import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'

export function addListSessions(sessions: Command, cli: Cli): void {
  addLimit(sessions.command('list'))
    .description('list the browsers and command lines in which you are signed in')
    .action(async ({ limit }: LimitFlag) => {
      const { client } = await cli.session()
      const found = await client.listAll('listSessions', {}, { limit })
      cli.output.table(
        found,
        [
          ['Last seen', ({ last_seen_at }) => moment(last_seen_at)],
          ['Signed in', ({ created_at }) => moment(created_at)],
          ['By', ({ methods }) => methods.join(', ')],
          ['Address', ({ address }) => address ?? ''],
          [
            'Where',
            ({ host, user_agent }) => (host === null ? (user_agent ?? '') : `command line on ${host}`),
          ],
          ['Id', ({ id }) => id],
        ],
        'No browser and no command line is signed in with your account.',
      )
    })
}
