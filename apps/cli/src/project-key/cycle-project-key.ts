import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { graceOption, graceSeconds } from '../grace.js'
import { printProjectKey } from './show-project-key.js'

/** `bearing project-key cycle` */
export function addCycleProjectKey(projectKey: Command, cli: Cli): void {
  projectKey
    .command('cycle')
    .description(
      "replace a project's key; without --grace, devices with the previous key are rejected immediately",
    )
    .addOption(graceOption())
    .action(async ({ grace }: { grace?: string }) => {
      const grace_seconds = graceSeconds(grace)
      const { client, organization, project } = await cli.session()
      const key = await client.call('cycleProjectKey', { organization, project, grace_seconds })
      cli.output.done(
        grace === undefined
          ? 'Project key replaced. The previous key no longer works.'
          : `Project key replaced. The previous key works for another ${grace}.`,
      )
      printProjectKey(cli, key)
    })
}
