import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'

export function addListSessions(sessions: Command, cli: Cli): void {
  addLimit(sessions.command('list'))
    .description('list the browsers in which you are signed in')
    .action(async ({ limit }: LimitFlag) => {
      const { client } = await cli.session()
      const found = await client.listAll('listSessions', {}, { limit })
      cli.output.table(
        found,
        [
          ['Last seen', ({ last_seen_at }) => last_seen_at],
          ['Signed in', ({ created_at }) => created_at],
          ['By', ({ methods }) => methods.join(', ')],
          ['Address', ({ address }) => address ?? ''],
          ['Browser', ({ user_agent }) => user_agent ?? ''],
          ['Id', ({ id }) => id],
        ],
        'No browser is signed in with your account. Sign in on the dashboard.',
      )
    })
}
