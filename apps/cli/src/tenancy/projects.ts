import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { addLimit, type LimitFlag } from '../ground/arguments.js'
import { moment } from '../ground/output/format.js'
import { requireNames, printFormerSlug, type NewNames } from './organizations.js'
import type { Session } from '../session/session.js'

verb('projects list', { examples: ['-o csv', "--jq '.[].slug'"] }, (command, cli) =>
  addLimit(command)
    .description('list the projects of an organization that you have access to')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listProjects', { organization }, { limit })
      cli.output.table(
        found,
        { Slug: 'slug', Name: 'name', Created: 'created_at' },
        'No projects that you have access to. Create one: bearing projects create <name>',
      )
    }),
)

verb('projects create', { examples: ['Thermostats --slug thermostats'] }, (command, cli) =>
  command
    .description('create a project, with its project key')
    .argument('<name>', 'display name')
    .option('--slug <slug>', 'slug in URLs (default: derived from the name)')
    .action(async (name: string, { slug }: { slug?: string }) => {
      const { client, organization } = await cli.session()
      const created = await client.call('createProject', { organization, name, slug })
      cli.output.done('Project created.')
      printProject(cli, created)
      cli.output.say(`Next: bearing project-key show --project ${created.slug}`)
    }),
)

verb('projects show', { examples: ['thermostats'] }, (command, cli) =>
  command
    .description('show a project')
    .argument('[slug]', 'slug of the project (default: --project)')
    .action(async (slug: string | undefined) => {
      const session = await cli.session()
      const { client, organization } = session
      const project = slug ?? session.project
      printProject(cli, await client.call('showProject', { organization, project }))
    }),
)

function printProject({ output }: Cli, project: CallOutput<'showProject'>): void {
  const { slug, name, id, created_at } = project
  output.record({ Slug: slug, Name: name, Id: id, Created: moment(created_at) }, project)
}

verb('projects rename', { examples: ['thermostats --name "Thermostats EU"'] }, (command, cli) =>
  command
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
    }),
)

/** Returns the slugs of projects; the id of a project that is deleted, or that the caller does not see. */
export async function projectNames(session: Session, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { client, organization } = session
  const projects = await client.listAll('listProjects', { organization })
  return ids.map((id) => projects.find((project) => project.id === id)?.slug ?? id)
}
