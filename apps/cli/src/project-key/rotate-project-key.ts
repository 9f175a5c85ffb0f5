import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addReplaceOptions, graceOf, type ReplaceFlags } from '../grace.js'
import { printProjectKey, useOf } from './show-project-key.js'

export function addRotateProjectKey(projectKey: Command, cli: Cli): void {
  addReplaceOptions(projectKey.command('rotate').alias('cycle'))
    .description("replace a project's key; devices can use the old key for one more day")
    .action(async (flags: ReplaceFlags) => {
      const grace = graceOf(flags)
      const { client, organization, project } = await cli.session()
      const before = await client.call('showProjectKey', { organization, project })
      cli.output.say(`The old key: ${useOf(before)}.`)
      // A cycle without a grace period also ends those of keys before.
      for (const key of grace.seconds === 0 ? before.in_grace : [])
        cli.output.say(`The key ${key.api_key} stops working, too: ${useOf(key)}.`)
      if (!flags.yes)
        await cli.confirm(
          grace.seconds === 0
            ? 'Replace the key? Devices with the old key are rejected immediately.'
            : `Replace the key? Devices with the old key are rejected after ${grace.text}.`,
        )
      const key = await client.call('cycleProjectKey', {
        organization,
        project,
        grace_seconds: grace.seconds,
      })
      cli.output.done(
        grace.seconds === 0
          ? 'Project key replaced. The old key no longer works.'
          : `Project key replaced. The old key works for another ${grace.text}.`,
      )
      printProjectKey(cli, key)
      if (grace.seconds > 0)
        cli.output.say(
          'Watch how many devices still use the old key: bearing project-key show\nEnd the grace period early: bearing project-key end-grace',
        )
    })
}
