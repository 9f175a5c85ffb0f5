import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

export function addShowProject(projects: Command, cli: Cli): void {
  projects
    .command('show')
    .description('show a project')
    .argument('[slug]', 'slug of the project (default: --project)')
    .action(async (slug: string | undefined) => {
      const session = await cli.session()
      const { client, organization } = session
      const project = slug ?? session.project
      printProject(cli, await client.call('showProject', { organization, project }))
    })
}

export function printProject({ output }: Cli, project: CallOutput<'showProject'>): void {
  const { slug, name, id, created_at } = project
  output.record({ Slug: slug, Name: name, Id: id, Created: moment(created_at) }, project)
}
