import { verb, listVerb, callVerb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { requireChange } from '../ground/arguments.js'

listVerb('organizations list', {
  about: 'list the organizations you belong to',
  list: 'listOrganizations',
  columns: { Slug: 'slug', Name: 'name', Created: 'created_at' },
  empty: 'No organizations yet. Create one: bearing organizations create <name>',
})

/** The fields of an organization or a project. */
export const NAMED = { Slug: 'slug', Name: 'name', Id: 'id', Created: 'created_at' } as const
/** Options of commands that create, and that rename. */
export const NEW = {
  '<name>': 'display name',
  '--slug <slug>': 'slug in URLs (default: derived from the name)',
}
export const NEW_NAMES = { '--name <name>': 'new display name', '--slug <slug>': 'new slug in URLs' }

callVerb('organizations create', {
  about: 'create an organization; you become its admin',
  takes: NEW,
  examples: ['Acme'],
  call: 'createOrganization',
  input: ({ name, slug }) => ({ name, slug }),
  done: 'Organization created.',
  show: NAMED,
  after: ({ output }, { slug }) => {
    output.say(`Next: bearing projects create <name> --org ${slug}`)
  },
})

callVerb('organizations show', {
  about: 'show an organization',
  takes: { '[slug]': 'slug of the organization (default: --org)' },
  examples: ['acme'],
  call: 'showOrganization',
  input: ({ slug }) => ({ organization: slug }),
  show: NAMED,
})

verb('organizations rename', {
  about: 'change the name or the slug of an organization',
  takes: { '[slug]': 'present slug of the organization (default: --org)', ...NEW_NAMES },
  examples: ['acme --name "Acme Robotics"'],
  run: async (cli, { name, slug }, [present]) => {
    const names = requireChange({ name, slug }, 'Give --name, --slug, or both.')
    const session = await cli.session()
    const organization = present ?? session.organization
    const renamed = await session.client.call('renameOrganization', { organization, ...names })
    cli.output.done('Organization renamed.')
    cli.output.show(renamed, NAMED)
    printFormerSlug(cli, organization, renamed.slug)
  },
})

/** Warns about clients that use the former slug. */
export function printFormerSlug({ output }: Cli, former: string, slug: string): void {
  if (former === slug) return
  output.notice(
    `Requests to the slug "${former}" are refused within 30 seconds. Use "${slug}" in your clients. The former slug stays reserved for 30 days.`,
  )
}
