import { ID, verb, listVerb } from '../session/verb.js'
import { idOf } from '../ground/arguments.js'
import { UsageError } from '../ground/usage-error.js'

listVerb('sessions list', {
  about: 'list the browsers and command lines in which you are signed in',
  list: 'listSessions',
  columns: {
    'Last seen': 'last_seen_at',
    'Signed in': 'created_at',
    By: 'methods',
    Address: ({ address }) => address ?? '',
    Where: ({ host, user_agent }) => (host === null ? (user_agent ?? '') : `command line on ${host}`),
    Id: 'id',
  },
  empty: 'No browser and no command line is signed in with your account.',
})

verb('sessions delete', {
  about: 'sign out a browser or command line, or all with --all',
  takes: {
    '[id]': idOf('id of the session, from "bearing sessions list"', 'bearing sessions list'),
    '--all': 'end all sessions',
  },
  examples: [ID],
  question: 'Sign out?',
  run: async (cli, { id, all = false }) => {
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
  },
})
