import type { Command } from 'commander'
import { endLogin } from '../auth/end-login.js'
import type { Cli } from '../cli.js'
import { ContextStore } from './context-store.js'

export function addDeleteContext(context: Command, cli: Cli): void {
  context
    .command('delete')
    .description('sign out of a context and delete it')
    .argument('<context>', 'name of the context, from "bearing context list"')
    .action(async (name: string) => {
      const contexts = new ContextStore(cli.terminal.environment.configFolder)
      await endLogin(cli, { name, ...contexts.get(name) })
      contexts.delete(name)
      cli.output.done(`Context "${name}" deleted.`)
      if (cli.output.forPrograms) cli.output.record({}, { deleted: name })
    })
}
