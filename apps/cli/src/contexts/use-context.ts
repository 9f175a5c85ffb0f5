import type { Command } from 'commander'
import { warningOfPreceding } from '../auth/preceding-credentials.js'
import type { Cli } from '../cli.js'
import { ContextStore } from './context-store.js'

export function addUseContext(context: Command, cli: Cli): void {
  context
    .command('use')
    .description('use a context from now on')
    .argument('<context>', 'name of the context, from "bearing context list"')
    .action((name: string) => {
      const { configFolder, settings } = cli.terminal.environment
      const contexts = new ContextStore(configFolder)
      contexts.use(name)
      cli.output.done(`Commands use the context "${name}".`)
      const preceding = contexts.get(name).stored_in && warningOfPreceding(settings)
      if (preceding) cli.output.notice(preceding)
      if (cli.output.forPrograms) cli.output.record({}, { current: name })
    })
}
