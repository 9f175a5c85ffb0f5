import { createOrganizationFor } from '@bearing/contracts/management/tenancy/organization'
import { printOrganization } from '../tenancy/organizations.js'
import { releaseSsoRule } from '@bearing/contracts/identity/sso/sign-in-policy'
import { resetSecondFactor } from '@bearing/contracts/identity/people/second-factor'
import { deleteUser } from '@bearing/contracts/identity/people/user'
import { relearnLayer } from '@bearing/contracts/location/access-points/learned'
import { ID, verb } from '../session/verb.js'
import { VARIABLES } from '../ground/environment.js'
import { FLAGS } from '../ground/flags.js'
import { idFrom } from '../ground/arguments.js'
import { withOperator } from '../session/with-operator.js'

verb('admin sso-not-required', { examples: [ID] }, (command, cli) =>
  command
    .description('stop requiring single sign-on for an organization; for operators, over NATS')
    .argument(
      '<organization id>',
      'id of the organization; verify the identity of the requester',
      idFrom('bearing organizations list', 'organization id'),
    )
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .action(async (organization_id: string, { natsUrl }: { natsUrl?: string }) => {
      const policy = await withOperator(cli, natsUrl, (operator) =>
        operator.call(releaseSsoRule, { organization_id }),
      )
      cli.output.done('Single sign-on is no longer required. API keys and passwords work again.')
      cli.output.record({ 'Single sign-on': 'not required', Id: organization_id }, policy)
    }),
)

verb(
  'admin reset-second-factor',
  { examples: ['ada@example.com'], question: 'Reset the second factor? Verify first who asks for it.' },
  (command, cli) =>
    command
      .description('reset the second factor of a user who has lost it; for operators, over NATS')
      .argument('<email>', 'email address of the user; verify the identity of the requester')
      .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
      .action(async (email: string, { natsUrl }: { natsUrl?: string }) => {
        const reset = await withOperator(cli, natsUrl, (operator) =>
          operator.call(resetSecondFactor, { email }),
        )
        cli.output.done('Second factor reset, and all sessions ended. The password alone is accepted again.')
        cli.output.record({ 'E-mail': reset.email, Id: reset.user_id }, reset)
      }),
)

verb(
  'admin users delete',
  { examples: ['ada@example.com'], question: 'Delete the user? This cannot be undone.' },
  (command, cli) =>
    command
      .description('delete a user account; for operators, over NATS')
      .argument('<user>', 'email address or user id')
      .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
      .addHelpText(
        'after',
        `
Its credentials stop at every gateway within a second, and its memberships end. Organization tokens that the user created
stay. It cannot be undone. The last admin of an organization cannot be deleted.`,
      )
      .action(async (user: string, { natsUrl }: { natsUrl?: string }) => {
        const request = user.includes('@') ? { email: user } : { user_id: user }
        const deleted = await withOperator(cli, natsUrl, (operator) => operator.call(deleteUser, request))
        cli.output.done('User deleted.')
        cli.output.record({ 'E-mail': deleted.email, Id: deleted.user_id }, deleted)
      }),
)

verb(
  'admin rebuild',
  { examples: [ID], question: 'Rebuild the layer? What came from observations that have expired is lost.' },
  (command, cli) =>
    command
      .description(
        'rebuild learned access points and radio cells from the stored observations; for operators, over NATS',
      )
      .argument(
        '<organization id>',
        'id of the organization',
        idFrom('bearing organizations list', 'organization id'),
      )
      .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
      .action(async (organization_id: string, { natsUrl }: { natsUrl?: string }) => {
        const relearned = await withOperator(cli, natsUrl, (operator) =>
          operator.call(relearnLayer, { organization_id }),
        )
        cli.output.done('Rebuilt. Data from observations that are no longer stored was removed.')
        const { observations, access_points, cells } = relearned
        cli.output.record(
          {
            Observations: String(observations),
            'Access points': String(access_points),
            'Radio cells': String(cells),
          },
          relearned,
        )
      }),
)

interface CreateOrganizationFlags {
  readonly admin: string
  readonly slug?: string
  readonly natsUrl?: string
}

verb('admin organizations create', { examples: ['"Acme Rockets" --admin ada@example.com'] }, (command, cli) =>
  command
    .description('create an organization for a user, who becomes its admin')
    .argument('<name>', 'display name')
    .requiredOption('--admin <email>', 'email address of the user; the account must exist')
    .option('--slug <slug>', 'slug in URLs (default: derived from the name)')
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .action(async (name: string, { admin, slug, natsUrl }: CreateOrganizationFlags) => {
      const created = await withOperator(cli, natsUrl, (operator) =>
        operator.call(createOrganizationFor, { name, slug, admin }),
      )
      cli.output.done('Organization created.')
      printOrganization(cli, created)
    }),
)
