import { verb, listVerb, callVerb } from '../session/verb.js'
import { NAMED, NEW, NEW_NAMES, printFormerSlug } from './organizations.js'
import type { Session } from '../session/session.js'
import { requireChange } from '../ground/arguments.js'

listVerb('projects list', {
  about: 'list the projects of an organization that you have access to',
  examples: ['-o csv', "--jq '.[].slug'"],
  list: 'listProjects',
  columns: { Slug: 'slug', Name: 'name', Created: 'created_at' },
  empty: 'No projects that you have access to. Create one: bearing projects create <name>',
})

callVerb('projects create', {
  about: 'create a project, with its project key',
  takes: NEW,
  examples: ['Thermostats --slug thermostats'],
  call: 'createProject',
  input: ({ name, slug }) => ({ name, slug }),
  done: 'Project created.',
  show: NAMED,
  after: ({ output }, { slug }) => {
    output.say(`Next: bearing project-key show --project ${slug}`)
  },
})

callVerb('projects show', {
  about: 'show a project',
  takes: { '[slug]': 'slug of the project (default: --project)' },
  examples: ['thermostats'],
  call: 'showProject',
  input: ({ slug }) => ({ project: slug }),
  show: NAMED,
})

verb('projects rename', {
  about: 'change the name or the slug of a project',
  takes: { '[slug]': 'present slug of the project (default: --project)', ...NEW_NAMES },
  examples: ['thermostats --name "Thermostats EU"'],
  run: async (cli, { name, slug }, [present]) => {
    const names = requireChange({ name, slug }, 'Give --name, --slug, or both.')
    const session = await cli.session()
    const { client, organization } = session
    const project = present ?? session.project
    const renamed = await client.call('renameProject', { organization, project, ...names })
    cli.output.done('Project renamed.')
    cli.output.show(renamed, NAMED)
    printFormerSlug(cli, project, renamed.slug)
  },
})

/** Returns the slugs of projects; the id of a project that is deleted, or that the caller does not see. */
export async function projectNames(session: Session, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { client, organization } = session
  const projects = await client.listAll('listProjects', { organization })
  return ids.map((id) => projects.find((project) => project.id === id)?.slug ?? id)
}
