import { ID, verb } from '../session/verb.js'
import { addLimit, type LimitFlag, idFrom } from '../ground/arguments.js'
import { UsageError } from '../ground/usage-error.js'

verb('sessions list', {}, (command, cli) =>
  addLimit(command)
    .description('list the browsers and command lines in which you are signed in')
    .action(async ({ limit }: LimitFlag) => {
      const { client } = await cli.session()
      const found = await client.listAll('listSessions', {}, { limit })
      cli.output.table(
        found,
        {
          'Last seen': 'last_seen_at',
          'Signed in': 'created_at',
          By: 'methods',
          Address: ({ address }) => address ?? '',
          Where: ({ host, user_agent }) => (host === null ? (user_agent ?? '') : `command line on ${host}`),
          Id: 'id',
        },
        'No browser and no command line is signed in with your account.',
      )
    }),
)

verb('sessions delete', { examples: [ID], question: 'Sign out?' }, (command, cli) =>
  command
    .description('sign out a browser or command line, or all with --all')
    .argument('[id]', 'id of the session, from "bearing sessions list"', idFrom('bearing sessions list'))
    .option('--all', 'end all sessions')
    .action(async (id: string | undefined, { all = false }: { all?: boolean }) => {
      if ((id !== undefined) === all) throw new UsageError('Give the id of a session, or --all.')
      const { client } = await cli.session()
      if (id === undefined) {
        const ended = await client.call('endOtherSessions', {})
        cli.output.done('All sessions ended.')
        cli.output.record({ Ended: String(ended.ended_count) }, ended)
        return
      }
      const ended = await client.call('endSession', { session_id: id })
      cli.output.done('Session ended.')
      cli.output.record({}, ended)
    }),
)
