import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'

export function addListProjects(projects: Command, cli: Cli): void {
  addLimit(projects.command('list'))
    .description('list the projects of an organization that you have access to')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listProjects', { organization }, { limit })
      cli.output.table(
        found,
        [
          ['Slug', ({ slug }) => slug],
          ['Name', ({ name }) => name],
          ['Created', ({ created_at }) => moment(created_at)],
        ],
        'No projects that you have access to. Create one: bearing projects create <name>',
      )
    })
}
