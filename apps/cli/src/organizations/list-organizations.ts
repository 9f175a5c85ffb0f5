import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'

export function addListOrganizations(organizations: Command, cli: Cli): void {
  addLimit(organizations.command('list'))
    .description('list the organizations you belong to')
    .action(async ({ limit }: LimitFlag) => {
      const { client } = await cli.session()
      const found = await client.listAll('listOrganizations', {}, { limit })
      cli.output.table(
        found,
        [
          ['Slug', ({ slug }) => slug],
          ['Name', ({ name }) => name],
          ['Created', ({ created_at }) => moment(created_at)],
        ],
        'No organizations yet. Create one: bearing organizations create <name>',
      )
    })
}
