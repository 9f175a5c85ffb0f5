import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, counted, moment } from '../output/format.js'

export function addShowProjectKey(projectKey: Command, cli: Cli): void {
  projectKey
    .command('show')
    .description("show a project's key, and previous keys in their grace period; they are not secret")
    .action(async () => {
      const { client, organization, project } = await cli.session()
      printProjectKey(cli, await client.call('showProjectKey', { organization, project }))
    })
}

/** Prints a project key, and previous keys in their grace period. */
export function printProjectKey({ output }: Cli, key: CallOutput<'showProjectKey'>): void {
  output.record(
    {
      'Project key': key.api_key,
      Created: moment(key.created_at),
      'Last used': moment(key.last_used_at, 'never'),
      Devices: key.last_used_at === null ? undefined : devicesOf(key),
      'In grace': key.in_grace.flatMap((old) => [
        `${old.api_key} until ${moment(old.expires_at)}`,
        ...(old.last_used_at === null
          ? ['not used']
          : [`last used ${moment(old.last_used_at)}`, devicesOf(old)]),
      ]),
    },
    key,
  )
}

type Use = Pick<CallOutput<'showProjectKey'>, 'devices' | 'last_used_at'>

/** Describes the use of a key: `about 12 devices in 24 h, about 3 in the last hour; last used …`. */
export function useOf(key: Use): string {
  return key.last_used_at === null ? 'not used' : `${devicesOf(key)}; last used ${moment(key.last_used_at)}`
}

function devicesOf({ devices: { last_day, last_hour } }: Use): string {
  return `about ${counted(last_day, 'device')} in 24 h, about ${count(last_hour)} in the last hour`
}
