import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { ContextStore } from './context-store.js'

export function addListContexts(context: Command, cli: Cli): void {
  context
    .command('list')
    .description('list your contexts')
    .action(() => {
      const { current, contexts } = new ContextStore(cli.terminal.environment.configFolder).read()
      const rows = Object.entries(contexts).map(([name, each]) => ({
        name,
        current: name === current,
        ...each,
      }))
      cli.output.table(
        rows,
        [
          ['', (row) => (row.current ? '*' : '')],
          ['Context', ({ name }) => name],
          ['Server', ({ url }) => url],
          ['Organization', ({ organization = '' }) => organization],
          ['Project', ({ project = '' }) => project],
          ['User', ({ user = '' }) => user],
        ],
        'There are no contexts. "bearing login" creates one.',
      )
    })
}
