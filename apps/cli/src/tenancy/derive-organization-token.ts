import type { Permission } from '@bearing/contracts/permission'
import { verb } from '../session/verb.js'
import { readSpan } from '../ground/times.js'
import { boundProjects } from './bound-projects.js'
import { addPermissionOption, addAddressOption } from './create-organization-token.js'
import { tokenFields } from './organization-tokens.js'
import { projectNames } from './projects.js'

interface Flags {
  readonly description?: string
  readonly permission?: Permission[]
  readonly expiresIn?: string
  readonly allowFrom?: string[]
}

verb('org-tokens derive', { examples: ['--permission location:resolve --expires-in 2h'] }, (command, cli) =>
  addAddressOption(addPermissionOption(command))
    .description(
      'derive a weaker token from the one of this command; it ends with that one, after 24 hours at the latest',
    )
    .option('--description <text>', 'purpose (default: that of the token of this command)')
    .option('--expires-in <span>', 'lifetime: 2h or 1d (default: 1h)')
    .action(async ({ description, permission, expiresIn, allowFrom }: Flags) => {
      const session = await cli.session()
      const { client, organization } = session
      const project_ids = await boundProjects(session, cli.projectFlags)
      const derived = await client.call('deriveOrganizationToken', {
        organization,
        description,
        permissions: permission,
        project_ids,
        ...(expiresIn !== undefined && { expires_in: readSpan(expiresIn, '--expires-in') / 1_000 }),
        allowed_addresses: allowFrom,
      })
      cli.output.done('Organization token derived.')
      const fields = tokenFields(derived, await projectNames(session, derived.project_ids ?? []))
      cli.output.record({ Token: derived.token, ...fields }, derived)
      cli.output.notice('The token is shown only once.')
    }),
)
