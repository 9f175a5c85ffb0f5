import type { CallInput } from '@bearing/client/call-types'
import { parseRoles, parseRule, type RuleText } from '@bearing/contracts/identity/sso/role-text'
import { InvalidArgumentError } from 'commander'
import { idOf, parsed, repeated, required } from '../ground/arguments.js'
import type { Session } from '../session/session.js'
import { ID, callVerb } from '../session/verb.js'
import { findProjectIds } from './find-project-ids.js'

type Mapping = NonNullable<CallInput<'changeSsoConnection'>['role_mapping']>

const CONNECTION = { '<id>': idOf('id of the connection', 'bearing sso connections list') }
const ROLES = 'admin, or member with roles in projects: member,thermostats:manager'

callVerb('sso role-mapping set', {
  about: 'let groups at the provider decide roles; replaces the role mapping of the connection',
  takes: {
    ...CONNECTION,
    '--claim <name>': required('claim with the groups, such as groups or realm_access/roles'),
    '--rule <group=roles>': {
      ...repeated(`roles of a group: ${ROLES}; repeatable`, (text: string): RuleText => {
        const rule = parseRule(text)
        if (!rule) throw new InvalidArgumentError('Use group=admin or group=member,project:role.')
        return rule
      }),
      initial: [],
    },
    '--otherwise <roles>': parsed('roles of users without a rule (default: none, no member)', (text) => {
      const roles = parseRoles(text)
      if (text !== 'none' && roles?.role !== 'member')
        throw new InvalidArgumentError('Use none, member, or member,project:role.')
      return roles
    }),
  },
  examples: [
    `${ID} --claim groups --rule platform=admin --rule firmware=member,thermostats:manager --otherwise member`,
  ],
  call: 'changeSsoConnection',
  input: async ({ id, claim, rule, otherwise }, session) => {
    const idOfProject = await projectIds(session, [...rule, ...(otherwise ? [otherwise] : [])])
    const role_mapping: Mapping = {
      claim,
      rules: rule.map(({ value, role, projects }) => ({ value, role, projects: projects.map(idOfProject) })),
      fallback: otherwise ? { projects: otherwise.projects.map(idOfProject) } : null,
    }
    return { connection_id: id, role_mapping }
  },
  done: 'Role mapping set. It applies to each user at the next sign-in.',
})

callVerb('sso role-mapping delete', {
  about: 'delete the role mapping of a connection; the roles that it gave stay, and can be edited',
  takes: CONNECTION,
  examples: [ID],
  question: 'Delete the role mapping? Groups at the provider then decide no roles.',
  call: 'changeSsoConnection',
  input: ({ id }) => ({ connection_id: id, role_mapping: null }),
  done: 'Role mapping deleted.',
})

/** Returns a function from the slug of a project to its id. */
async function projectIds(session: Session, given: readonly Pick<RuleText, 'projects'>[]) {
  const slugs = given.flatMap(({ projects }) => projects.map(({ project }) => project))
  const ids = await findProjectIds(session, slugs)
  const known = new Map(slugs.map((slug, index) => [slug, ids[index] ?? '']))
  return ({ project, role }: RuleText['projects'][number]) => ({ project_id: known.get(project) ?? '', role })
}
