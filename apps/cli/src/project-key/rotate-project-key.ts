import type { CallOutput } from '@bearing/client/call-types'
import { ProblemError } from '@bearing/client/errors'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { requireTerminal } from '../confirm-typed.js'
import { addReplaceOptions, graceOf, PROJECT_KEY_GRACE, type ReplaceFlags } from '../grace.js'
import type { Session } from '../session.js'
import { printProjectKey, useOf } from './show-project-key.js'

export function addRotateProjectKey(projectKey: Command, cli: Cli): void {
  addReplaceOptions(projectKey.command('rotate'), PROJECT_KEY_GRACE, [
    '-y, --yes',
    'do not ask for confirmation; without a terminal needed for --immediately while devices use the key',
  ])
    .description("replace a project's key; devices can use the old key for 7 more days")
    .action(async (flags: ReplaceFlags) => {
      const grace = graceOf(flags, PROJECT_KEY_GRACE)
      const session = await cli.session()
      const { client, organization, project } = session
      const before = await readKey(session)
      if (before) cli.output.say(`The old key: ${useOf(before)}.`)
      // A cycle without a grace period also ends those of keys before.
      for (const key of grace.seconds === 0 ? (before?.in_grace ?? []) : [])
        cli.output.say(`The key ${key.api_key} stops working, too: ${useOf(key)}.`)
      // A device whose key is rejected may delete what it was about to send. Whether a key that may not be read is used, is unknown.
      const isUsed = !before || [before, ...before.in_grace].some(({ devices }) => devices.last_day > 0)
      if (!flags.yes && grace.seconds === 0 && isUsed) requireTerminal(cli, '--yes')
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

/** Returns the present key with its use; undefined if the credential may replace it and not read it. */
async function readKey({
  client,
  organization,
  project,
}: Session): Promise<CallOutput<'showProjectKey'> | undefined> {
  try {
    return await client.call('showProjectKey', { organization, project })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'permission_denied') return undefined
    throw error
  }
}
