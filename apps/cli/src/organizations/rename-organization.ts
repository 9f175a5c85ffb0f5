import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { UsageError } from '../usage-error.js'
import { printOrganization } from './show-organization.js'

/** The options of both `rename` commands. */
export interface NewNames {
  readonly name?: string
  readonly slug?: string
}

export function addRenameOrganization(organizations: Command, cli: Cli): void {
  organizations
    .command('rename')
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
    })
}

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
