import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

/** `bearing organizations create` */
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
      cli.output.record(
        { Slug: created.slug, Name: created.name, Id: created.id, Created: moment(created.created_at) },
        created,
      )
      cli.output.say(`Next: bearing projects create <name> --org ${created.slug}`)
    })
}
