import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { printProjectKey } from './show-project-key.js'

/** `bearing project-key cycle` */
export function addCycleProjectKey(projectKey: Command, cli: Cli): void {
  projectKey
    .command('cycle')
    .description("replace a project's key; devices with the key before are refused at once")
    .action(async () => {
      const { client, organization, project } = await cli.session()
      const key = await client.call('cycleProjectKey', { organization, project })
      cli.output.done('Project key replaced. The key before does not work any more.')
      printProjectKey(cli, key)
    })
}
