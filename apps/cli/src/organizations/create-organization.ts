import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { printOrganization } from './show-organization.js'

export function addCreateOrganization(organizations: Command, cli: Cli): void {
  organizations
    .command('create')
    .description('create an organization; you become its admin')
    .argument('<name>', 'display name')
    .option('--slug <slug>', 'slug in URLs (default: derived from the name)')
    .action(async (name: string, { slug }: { slug?: string }) => {
      const { client } = await cli.session()
      const created = await client.call('createOrganization', { name, slug })
      cli.output.done('Organization created.')
      printOrganization(cli, created)
      cli.output.say(`Next: bearing projects create <name> --org ${created.slug}`)
    })
}
