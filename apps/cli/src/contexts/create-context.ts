import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { UsageError } from '../usage-error.js'
import { ContextStore, contextName } from './context-store.js'

export function addCreateContext(context: Command, cli: Cli): void {
  context
    .command('create')
    .description('create a context from --url, --org and --project, without signing in')
    .argument('<name>', 'name of the new context')
    .action((text: string) => {
      const name = contextName(text)
      const contexts = new ContextStore(cli.terminal.environment.configFolder)
      const { contexts: known, current } = contexts.read()
      if (Object.hasOwn(known, name))
        throw new UsageError(
          `There is a context "${name}" already.`,
          `"bearing context delete ${name}" deletes it.`,
        )
      const url = cli.setting('url')
      if (url === undefined || !URL.canParse(url))
        throw new UsageError('Which server? Give its URL with --url.')
      const created = {
        url,
        location_url: cli.setting('locationUrl'),
        organization: cli.setting('org'),
        project: cli.setting('project'),
      }
      contexts.put(name, created, current === undefined)
      cli.output.done(`Context created. "bearing login --context ${name}" signs in.`)
      cli.output.record({ Context: name, Server: url }, { name, ...created })
    })
}
