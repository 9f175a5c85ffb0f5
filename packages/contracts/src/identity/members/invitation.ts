import { z } from 'zod'
import { operation } from '../../operation.js'
import { OrganizationRole, ProjectRole } from '../../principal.js'
import { Email, Id, OrganizationScope, PageRequest, Timestamp, pageOf } from '../../primitives.js'
import { LinkSecret } from '../people/link-secret.js'
import { NewPassword } from '../people/password.js'

/** Lifetime of the link of an invitation, in hours. */
export const INVITATION_HOURS = 72

const Projects = z.array(z.object({ project_id: Id, role: ProjectRole }))

/** An invitation into an organization, without the secret of its link. */
export const Invitation = z
  .object({
    id: Id,
    email: z.string().describe('Email address that the link was sent to.'),
    role: OrganizationRole.describe('The role in the organization that it gives.'),
    projects: Projects.describe('The roles in projects that it gives.'),
    state: z.enum(['pending', 'accepted', 'revoked', 'expired']),
    sent_at: Timestamp.describe('When it was created, or its link was last replaced.'),
    expires_at: Timestamp,
    invited_by: Id.describe('The user who created it, or replaced its link last.'),
    accepted_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: 'Invitation' })

export const createInvitation = operation({
  subject: 'identity.v1.invitation.create',
  summary: 'Invite somebody into an organization',
  description:
    'For admins. A link is mailed to the address; it works once, for 72 hours, and only for that address. Nobody else ever sees it. It dies when the admin who sent it is no admin any more.',
  input: z.object({
    ...OrganizationScope,
    email: Email,
    role: OrganizationRole,
    projects: Projects.max(100)
      .default([])
      .describe('Roles in projects of the organization (default: none).'),
  }),
  output: Invitation,
  errors: [
    'recent_sign_in_required',
    'already_member',
    'invitation_pending',
    'mail_not_configured',
    'project_not_found',
    'rate_limited',
    'quota_exceeded',
  ],
  permission: 'invitation:create',
  proof: 'recent',
})

export const listInvitations = operation({
  subject: 'identity.v1.invitation.list',
  summary: 'List the invitations into an organization',
  description: 'For admins. Newest first; accepted, revoked and expired ones stay listed.',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(Invitation),
  errors: [],
  permission: 'invitation:read',
})

export const revokeInvitation = operation({
  subject: 'identity.v1.invitation.revoke',
  summary: 'Revoke an invitation',
  description: 'For admins. Its link is dead from now on. Revoking it again changes nothing.',
  input: z.object({ ...OrganizationScope, invitation_id: Id }),
  output: Invitation,
  errors: ['invitation_not_found', 'invitation_ended'],
  permission: 'invitation:revoke',
})

export const resendInvitation = operation({
  subject: 'identity.v1.invitation.resend',
  summary: 'Mail a new link for an invitation',
  description:
    'For admins. The link before is dead from now on, and the new one works for 72 hours. An expired invitation comes back in this way. Between two mails to an address there is a pause: a minute after the first, then twice as long each time, up to a day.',
  input: z.object({ ...OrganizationScope, invitation_id: Id }),
  output: Invitation,
  errors: [
    'recent_sign_in_required',
    'invitation_not_found',
    'invitation_ended',
    'mail_not_configured',
    'rate_limited',
  ],
  permission: 'invitation:resend',
  proof: 'recent',
})

/** Returns the content of the page behind the link. It requires the link, and so access to the mailbox of the email address. */
export const showInvitation = operation({
  subject: 'identity.v1.invitation.show',
  summary: 'Show what an invitation is for',
  description:
    'For anyone who has the link. No credential is needed. Showing the invitation does not use it up.',
  input: z.object({ secret: LinkSecret }),
  output: z.object({
    email: z.string(),
    organization_id: Id,
    role: OrganizationRole,
    invited_by: z.string().describe('Address of the admin who sent it.'),
    expires_at: Timestamp,
    has_account: z
      .boolean()
      .describe(
        'Whether there is an account with this address. If so it joins as it is; if not, a password is needed.',
      ),
  }),
  errors: ['invitation_not_found', 'invitation_ended'],
  permission: 'public',
})

/** Accepting proves access to the mailbox. That is enough to join, not to set the password of an existing account. */
export const acceptInvitation = operation({
  subject: 'identity.v1.invitation.accept',
  summary: 'Accept an invitation',
  description:
    'For anyone who has the link. No credential is needed. If the email address has no account yet, one is created with `password`. An existing account joins as it is, and `password` has to be left out: an invitation never changes a password. Sign in afterwards as usual.',
  input: z.object({ secret: LinkSecret, password: NewPassword.optional() }),
  output: z.object({
    user_id: Id,
    email: z.string(),
    organization_id: Id,
    account_created: z.boolean().describe('Whether the account was made just now.'),
  }),
  errors: ['invitation_not_found', 'invitation_ended', 'email_taken', 'too_many_organizations'],
  permission: 'public',
  timeoutMs: 10_000,
})
