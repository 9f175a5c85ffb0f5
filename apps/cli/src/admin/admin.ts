import { createOrganizationFor } from '@bearing/contracts/management/tenancy/organization'
import { releaseSsoRule } from '@bearing/contracts/identity/sso/sign-in-policy'
import { changeUserEmail } from '@bearing/contracts/identity/people/email-change'
import { resetSecondFactor } from '@bearing/contracts/identity/people/second-factor'
import { deleteUser } from '@bearing/contracts/identity/people/user'
import { relearnLayer } from '@bearing/contracts/location/access-points/learned'
import { idOf, required } from '../ground/arguments.js'
import { ID, operatorVerb } from '../session/verb.js'
import { NAMED, NEW } from '../tenancy/organizations.js'

const USER = { 'E-mail': 'email', Id: 'user_id' } as const
const LISTED = ['bearing organizations list', 'organization id'] as const

operatorVerb('admin sso-not-required', {
  about: 'stop requiring single sign-on for an organization; for operators, over NATS',
  takes: {
    '<organization id>': idOf('id of the organization; verify the identity of the requester', ...LISTED),
  },
  examples: [ID],
  operation: releaseSsoRule,
  input: ({ organizationId }) => ({ organization_id: organizationId }),
  done: 'Single sign-on is no longer required. API keys and passwords work again.',
  after: ({ output }, policy, { organizationId }) => {
    output.record({ 'Single sign-on': 'not required', Id: organizationId }, policy)
  },
})

operatorVerb('admin reset-second-factor', {
  about: 'reset the second factor of a user who has lost it; for operators, over NATS',
  takes: { '<email>': 'email address of the user; verify the identity of the requester' },
  examples: ['ada@example.com'],
  question: 'Reset the second factor? Verify first who asks for it.',
  operation: resetSecondFactor,
  input: ({ email }) => ({ email }),
  done: 'Second factor reset, and all sessions ended. The password alone is accepted again.',
  show: USER,
})

operatorVerb('admin users change-email', {
  about: 'change the email address of a user who has lost the mailbox; for operators, over NATS',
  takes: {
    '<email>': 'present email address of the user; verify the identity of the requester',
    '<new email>': 'the new email address',
  },
  examples: ['ada@example.com ada@example.org'],
  question: 'Change the email address? Verify first who asks for it.',
  operation: changeUserEmail,
  input: ({ email, newEmail }) => ({ email, new_email: newEmail }),
  done: 'Email address changed, and all sessions ended.',
  show: USER,
})

operatorVerb('admin users delete', {
  about: 'delete a user account; for operators, over NATS',
  takes: { '<user>': 'email address or user id' },
  help: `Its credentials stop at every gateway within a second, and its memberships end. Organization tokens that the user created
stay. It cannot be undone. The last admin of an organization cannot be deleted.`,
  examples: ['ada@example.com'],
  question: 'Delete the user? This cannot be undone.',
  operation: deleteUser,
  input: ({ user }) => (user.includes('@') ? { email: user } : { user_id: user }),
  done: 'User deleted.',
  show: USER,
})

operatorVerb('admin rebuild', {
  about:
    'rebuild learned access points and radio cells from the stored observations; for operators, over NATS',
  takes: { '<organization id>': idOf('id of the organization', ...LISTED) },
  examples: [ID],
  question: 'Rebuild the layer? What came from observations that have expired is lost.',
  operation: relearnLayer,
  input: ({ organizationId }) => ({ organization_id: organizationId }),
  done: 'Rebuilt. Data from observations that are no longer stored was removed.',
  show: {
    Observations: ({ observations }) => String(observations),
    'Access points': ({ access_points }) => String(access_points),
    'Radio cells': ({ cells }) => String(cells),
  },
})

operatorVerb('admin organizations create', {
  about: 'create an organization for a user, who becomes its admin',
  takes: { ...NEW, '--admin <email>': required('email address of the user; the account must exist') },
  examples: ['"Acme Rockets" --admin ada@example.com'],
  operation: createOrganizationFor,
  input: ({ name, admin, slug }) => ({ name, slug, admin }),
  done: 'Organization created.',
  show: NAMED,
})
