import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { requireNames, printFormerSlug, type NewNames } from '../organizations/rename-organization.js'
import { printProject } from './show-project.js'

export function addRenameProject(projects: Command, cli: Cli): void {
  projects
    .command('rename')
    .description('change the name or the slug of a project')
    .argument('[slug]', 'present slug of the project (default: --project)')
    .option('--name <name>', 'new display name')
    .option('--slug <slug>', 'new slug in URLs')
    .action(async (present: string | undefined, names: NewNames) => {
      requireNames(names)
      const session = await cli.session()
      const { client, organization } = session
      const project = present ?? session.project
      const renamed = await client.call('renameProject', { organization, project, ...names })
      cli.output.done('Project renamed.')
      printProject(cli, renamed)
      printFormerSlug(cli, project, renamed.slug)
    })
}
