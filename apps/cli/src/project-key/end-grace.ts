import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { requireTerminal } from '../confirm-typed.js'
import { printProjectKey, useOf } from './show-project-key.js'

export function addEndGrace(projectKey: Command, cli: Cli): void {
  projectKey
    .command('end-grace')
    .description('end the grace period of replaced keys; the current key stays')
    .option('-y, --yes', 'do not ask for confirmation; without a terminal needed while devices use the keys')
    .action(async ({ yes }: { yes?: true }) => {
      const { client, organization, project } = await cli.session()
      const { in_grace } = await client.call('showProjectKey', { organization, project })
      for (const key of in_grace) cli.output.say(`${key.api_key}: ${useOf(key)}.`)
      // A device whose key is rejected may delete what it was about to send.
      if (!yes && in_grace.some(({ devices }) => devices.last_day > 0)) requireTerminal(cli, '--yes')
      if (in_grace.length > 0 && !yes)
        await cli.confirm('End the grace period? Devices with these keys are rejected immediately.')
      const key = await client.call('endKeyGraces', { organization, project })
      cli.output.done(in_grace.length > 0 ? 'Grace period ended.' : 'No replaced key is in its grace period.')
      printProjectKey(cli, key)
    })
}
