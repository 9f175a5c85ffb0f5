import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

export function addShowOrganization(organizations: Command, cli: Cli): void {
  organizations
    .command('show')
    .description('show an organization')
    .argument('[slug]', 'slug of the organization (default: --org)')
    .action(async (slug: string | undefined) => {
      const session = await cli.session()
      const organization = slug ?? session.organization
      printOrganization(cli, await session.client.call('showOrganization', { organization }))
    })
}

export function printOrganization({ output }: Cli, organization: CallOutput<'showOrganization'>): void {
  const { slug, name, id, created_at } = organization
  output.record({ Slug: slug, Name: name, Id: id, Created: moment(created_at) }, organization)
}
