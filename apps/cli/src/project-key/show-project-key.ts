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
  const graces = key.in_grace.map((old) => `${old.api_key} until ${moment(old.expires_at)}: ${useOf(old)}`)
  output.record(
    {
      'Project key': key.api_key,
      Created: moment(key.created_at),
      Used: key.last_used_at === null ? 'never' : useOf(key),
      'In grace': graces.length === 0 ? undefined : graces.join('; '),
    },
    key,
  )
}

/** Describes the use of a key: `about 12 devices in 24 h, about 3 in the last hour, last used …`. */
export function useOf({
  devices,
  last_used_at,
}: Pick<CallOutput<'showProjectKey'>, 'devices' | 'last_used_at'>): string {
  const { last_day, last_hour } = devices
  if (last_used_at === null) return 'not used'
  return `about ${counted(last_day, 'device')} in 24 h, about ${count(last_hour)} in the last hour; last used ${moment(last_used_at)}`
}
