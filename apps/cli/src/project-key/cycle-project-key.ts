import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { graceOption, graceSeconds } from '../grace.js'
import { printProjectKey } from './show-project-key.js'

/** `bearing project-key cycle` */
export function addCycleProjectKey(projectKey: Command, cli: Cli): void {
  projectKey
    .command('cycle')
    .description("replace a project's key; without a grace, devices with a key before are refused at once")
    .addOption(graceOption())
    .action(async ({ grace }: { grace?: string }) => {
      const grace_seconds = graceSeconds(grace)
      const { client, organization, project } = await cli.session()
      const key = await client.call('cycleProjectKey', { organization, project, grace_seconds })
      cli.output.done(
        grace === undefined
          ? 'Project key replaced. The key before does not work any more.'
          : `Project key replaced. The key before works for another ${grace}.`,
      )
      printProjectKey(cli, key)
    })
}
