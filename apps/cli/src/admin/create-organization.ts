import { createOrganizationFor } from '@bearing/contracts/management/tenancy/organization'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import { printOrganization } from '../organizations/show-organization.js'
import { withOperator } from './with-operator.js'

interface Flags {
  readonly admin: string
  readonly slug?: string
  readonly natsUrl?: string
}

export function addCreateOrganizationFor(admin: Command, cli: Cli): void {
  admin
    .command('organizations')
    .description('organizations of users; for operators, over NATS')
    .command('create')
    .description('create an organization for a user, who becomes its admin')
    .argument('<name>', 'display name')
    .requiredOption('--admin <email>', 'email address of the user; the account must exist')
    .option('--slug <slug>', 'slug in URLs (default: derived from the name)')
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .action(async (name: string, { admin, slug, natsUrl }: Flags) => {
      const created = await withOperator(cli, natsUrl, (operator) =>
        operator.call(createOrganizationFor, { name, slug, admin }),
      )
      cli.output.done('Organization created.')
      printOrganization(cli, created)
    })
}
