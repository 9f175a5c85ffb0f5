import type { CallOutput } from '@bearing/client/call-types'
import { ProblemError } from '@bearing/client/errors'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { counted, moment } from '../ground/output/format.js'
import type { Session } from '../session/session.js'

type Principal = CallOutput<'whoAmI'>
type User = Extract<Principal, { kind: 'user' }>

verb('whoami', {
  about: 'show the owner of the credential, and its access',
  run: async (cli) => {
    const session = await cli.session()
    const principal = await session.client.call('whoAmI', {})
    cli.output.record(fieldsOf(principal, session), principal)
    if (principal.kind === 'user' && !cli.output.forPrograms) await printGrants(cli, session, principal)
  },
})

const PROOFS: Record<User['proof'], string> = {
  api_key: 'user API key',
  password: 'account password',
  session: 'login of the command line',
}

function fieldsOf(
  principal: Principal,
  session: Session,
): Record<string, string | readonly string[] | undefined> {
  const credential = session.selected.description
  switch (principal.kind) {
    case 'user':
      return { User: principal.email, 'Proven by': PROOFS[principal.proof], Credential: credential }
    case ORGANIZATION_TOKEN:
      return {
        'Organization token': principal.description,
        Id: principal.credential_id,
        'Organization id': principal.organization_id,
        Permissions: (principal.project_binding ?? principal).permissions,
        'Project ids': principal.project_binding?.project_ids ?? 'all',
        Expires: moment(principal.expires_at),
        ...(principal.workload && {
          Workload: principal.workload.subject,
          Trust: principal.workload.trust_id,
          Claims: Object.entries(principal.workload.claims).map(([name, value]) => `${name}=${value}`),
        }),
        Credential: credential,
      }
    case 'project_key':
      return {
        'Project key of': principal.project_id,
        'Organization id': principal.organization_id,
        Permissions: principal.permissions.length > 0 ? principal.permissions : 'send data',
        Credential: credential,
      }
    case 'device':
      return {
        Device: principal.device_serial,
        'Project id': principal.project_id,
        'Organization id': principal.organization_id,
        Permissions: principal.permissions,
        Credential: credential,
      }
    case 'service':
      return { Service: principal.name, Credential: credential }
  }
}

/** Adds slugs to grants, which contain only ids. */
async function printGrants({ output }: Cli, { client }: Session, user: User): Promise<void> {
  const slugs = new Map<string, string>()
  try {
    for (const { id, slug } of await client.listAll('listOrganizations', {})) slugs.set(id, slug)
  } catch (error) {
    // Without the slugs, the ids are printed.
    if (!(error instanceof ProblemError)) throw error
  }
  if (user.grants.length > 0) output.print('')
  output.table(
    user.grants,
    {
      Organization: ({ organization_id }) => slugs.get(organization_id) ?? organization_id,
      Role: 'role',
      Projects: ({ role, projects }) => (role === 'admin' ? 'all' : counted(projects.length, 'project')),
      Access: ({ sso_required }) => (sso_required ? 'single sign-on required' : 'yes'),
    },
    'You belong to no organization yet. Create one: bearing organizations create <name>',
  )
}
