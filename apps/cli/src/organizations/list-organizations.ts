import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

export function addListOrganizations(organizations: Command, cli: Cli): void {
  organizations
    .command('list')
    .description('list the organizations you belong to')
    .action(async () => {
      const { client } = await cli.session()
      const found = await client.listAll('listOrganizations', {})
      cli.output.table(found, [
        ['Slug', ({ slug }) => slug],
        ['Name', ({ name }) => name],
        ['Created', ({ created_at }) => moment(created_at)],
      ])
      if (found.length === 0)
        cli.output.say('No organizations yet. Create one: bearing organizations create <name>')
    })
}
