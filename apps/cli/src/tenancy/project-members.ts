import { PROJECT_ROLES } from '@bearing/contracts/principal'
import { oneOf } from '../ground/arguments.js'
import { callVerb, listVerb } from '../session/verb.js'
import { findUserId, USER_ARGUMENT } from './members.js'

const MEMBER = { 'E-mail': 'email', Role: 'role', Id: 'user_id' } as const

listVerb('project-members list', {
  about: 'list the members of a project',
  list: 'listProjectMembers',
  columns: MEMBER,
  empty:
    'The project has no members; admins of the organization are its managers. Add one: bearing project-members set <user> <role>',
})

callVerb('project-members set', {
  about: 'set the role of a member in a project; for its managers',
  takes: { ...USER_ARGUMENT, '<role>': oneOf('the new role', PROJECT_ROLES) },
  examples: ['ada@example.com manager'],
  call: 'setProjectMember',
  input: async ({ user, role }, session) => ({ user_id: await findUserId(session, user), role }),
  done: 'Role set.',
  show: MEMBER,
})

callVerb('project-members remove', {
  about: 'remove a member from a project; they remain in the organization',
  takes: USER_ARGUMENT,
  examples: ['ada@example.com'],
  question: 'Remove the member from the project?',
  call: 'removeProjectMember',
  input: async ({ user }, session) => ({ user_id: await findUserId(session, user) }),
  done: 'Member removed from the project.',
  show: MEMBER,
})
