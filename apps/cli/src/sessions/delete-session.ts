import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { UsageError } from '../usage-error.js'

export function addDeleteSession(sessions: Command, cli: Cli): void {
  sessions
    .command('delete')
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
    })
}
