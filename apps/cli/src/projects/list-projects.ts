import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

export function addListProjects(projects: Command, cli: Cli): void {
  projects
    .command('list')
    .description('list the projects of an organization that you have access to')
    .action(async () => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listProjects', { organization })
      cli.output.table(found, [
        ['Slug', ({ slug }) => slug],
        ['Name', ({ name }) => name],
        ['Created', ({ created_at }) => moment(created_at)],
      ])
      if (found.length === 0) cli.output.say('No projects that you have access to.')
    })
}
