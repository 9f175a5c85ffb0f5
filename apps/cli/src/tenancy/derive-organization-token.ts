import { verb } from '../session/verb.js'
import { readSpan } from '../ground/times.js'
import { boundProjects } from './bound-projects.js'
import { PERMISSIONS, ADDRESSES } from './create-organization-token.js'
import { tokenFields } from './organization-tokens.js'
import { projectNames } from './projects.js'

verb('org-tokens derive', {
  about:
    'derive a weaker token from the one of this command; it ends with that one, after 24 hours at the latest',
  takes: {
    ...PERMISSIONS,
    ...ADDRESSES,
    '--description <text>': 'purpose (default: that of the token of this command)',
    '--expires-in <span>': 'lifetime: 2h or 1d (default: 1h)',
  },
  examples: ['--permission location:resolve --expires-in 2h'],
  run: async (cli, { description, permission, expiresIn, allowFrom }) => {
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
  },
})
