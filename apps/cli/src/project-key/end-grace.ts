import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { YES_ON_TERMINAL } from '../confirmations.js'
import { printProjectKey, useOf } from './show-project-key.js'

export function addEndGrace(projectKey: Command, cli: Cli): void {
  projectKey
    .command('end-grace')
    .description('end the grace period of replaced keys; the current key stays')
    .option(...YES_ON_TERMINAL)
    .action(async ({ yes }: { yes?: true }) => {
      const { client, organization, project } = await cli.session()
      const { in_grace } = await client.call('showProjectKey', { organization, project })
      for (const key of in_grace) cli.output.say(`${key.api_key}: ${useOf(key)}.`)
      if (in_grace.length > 0 && !yes)
        await cli.confirm('End the grace period? Devices with these keys are rejected immediately.')
      const key = await client.call('endKeyGraces', { organization, project })
      cli.output.done(in_grace.length > 0 ? 'Grace period ended.' : 'No replaced key is in its grace period.')
      printProjectKey(cli, key)
    })
}
