import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { addLimit, type LimitFlag } from '../ground/arguments.js'
import { moment } from '../ground/output/format.js'
import { UsageError } from '../ground/usage-error.js'

verb('organizations list', {}, (command, cli) =>
  addLimit(command)
    .description('list the organizations you belong to')
    .action(async ({ limit }: LimitFlag) => {
      const { client } = await cli.session()
      const found = await client.listAll('listOrganizations', {}, { limit })
      cli.output.table(
        found,
        { Slug: 'slug', Name: 'name', Created: 'created_at' },
        'No organizations yet. Create one: bearing organizations create <name>',
      )
    }),
)

verb('organizations create', { examples: ['Acme'] }, (command, cli) =>
  command
    .description('create an organization; you become its admin')
    .argument('<name>', 'display name')
    .option('--slug <slug>', 'slug in URLs (default: derived from the name)')
    .action(async (name: string, { slug }: { slug?: string }) => {
      const { client } = await cli.session()
      const created = await client.call('createOrganization', { name, slug })
      cli.output.done('Organization created.')
      printOrganization(cli, created)
      cli.output.say(`Next: bearing projects create <name> --org ${created.slug}`)
    }),
)

verb('organizations show', { examples: ['acme'] }, (command, cli) =>
  command
    .description('show an organization')
    .argument('[slug]', 'slug of the organization (default: --org)')
    .action(async (slug: string | undefined) => {
      const session = await cli.session()
      const organization = slug ?? session.organization
      printOrganization(cli, await session.client.call('showOrganization', { organization }))
    }),
)

export function printOrganization({ output }: Cli, organization: CallOutput<'showOrganization'>): void {
  const { slug, name, id, created_at } = organization
  output.record({ Slug: slug, Name: name, Id: id, Created: moment(created_at) }, organization)
}

/** The options of both `rename` commands. */
export interface NewNames {
  readonly name?: string
  readonly slug?: string
}

verb('organizations rename', { examples: ['acme --name "Acme Robotics"'] }, (command, cli) =>
  command
    .description('change the name or the slug of an organization')
    .argument('[slug]', 'present slug of the organization (default: --org)')
    .option('--name <name>', 'new display name')
    .option('--slug <slug>', 'new slug in URLs')
    .action(async (present: string | undefined, names: NewNames) => {
      requireNames(names)
      const session = await cli.session()
      const organization = present ?? session.organization
      const renamed = await session.client.call('renameOrganization', { organization, ...names })
      cli.output.done('Organization renamed.')
      printOrganization(cli, renamed)
      printFormerSlug(cli, organization, renamed.slug)
    }),
)

/** @throws UsageError if there is nothing to change */
export function requireNames({ name, slug }: NewNames): void {
  if (name === undefined && slug === undefined) throw new UsageError('Give --name, --slug, or both.')
}

/** Warns about clients that use the former slug. */
export function printFormerSlug({ output }: Cli, former: string, slug: string): void {
  if (former === slug) return
  output.notice(
    `Requests to the slug "${former}" are refused within 30 seconds. Use "${slug}" in your clients. The former slug stays reserved for 30 days.`,
  )
}
