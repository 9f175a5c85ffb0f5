import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { printProject } from './show-project.js'

export function addCreateProject(projects: Command, cli: Cli): void {
  projects
    .command('create')
    .description('create a project, with its project key')
    .argument('<name>', 'display name')
    .option('--slug <slug>', 'slug in URLs (default: derived from the name)')
    .action(async (name: string, { slug }: { slug?: string }) => {
      const { client, organization } = await cli.session()
      const created = await client.call('createProject', { organization, name, slug })
      cli.output.done('Project created.')
      printProject(cli, created)
      cli.output.say(`Next: bearing project-key show --project ${created.slug}`)
    })
}
