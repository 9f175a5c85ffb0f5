import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

/** `bearing project-key show` */
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
  const graces = key.in_grace.map(({ api_key, expires_at }) => `${api_key} until ${moment(expires_at)}`)
  output.record(
    {
      'Project key': key.api_key,
      Created: moment(key.created_at),
      'In grace': graces.length === 0 ? undefined : graces.join(', '),
    },
    key,
  )
}
