import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { ContextStore } from './context-store.js'

export function addUseContext(context: Command, cli: Cli): void {
  context
    .command('use')
    .description('use a context from now on')
    .argument('<context>', 'name of the context, from "bearing context list"')
    .action((name: string) => {
      new ContextStore(cli.terminal.environment.configFolder).use(name)
      cli.output.done(`Commands use the context "${name}".`)
      if (cli.output.forPrograms) cli.output.record({}, { current: name })
    })
}
