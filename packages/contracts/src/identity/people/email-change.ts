import { z } from 'zod'
import { operation } from '../../operation.js'
import { Email, Id, Nothing } from '../../primitives.js'
import { LinkSecret } from './link-secret.js'

/** Lifetime of the links of a change, in hours. */
export const EMAIL_CHANGE_HOURS = 24

export const requestEmailChange = operation({
  subject: 'identity.v1.email-change.request',
  summary: 'Request another email address for your account',
  description:
    'A link is mailed to the new address and one to the present address. The address changes when both are confirmed; each works once, for 24 hours. The response is the same whether or not the new address has an account: then no link is mailed to it. A newer request replaces the one before. An address that a provider pushes by SCIM is changed there.',
  input: z.object({ email: Email }),
  output: Nothing,
  errors: [
    'mail_not_configured',
    'permission_denied',
    'rate_limited',
    'recent_sign_in_required',
    'user_required',
  ],
  permission: 'email:change',
  proof: 'recent',
})

export const confirmEmailChange = operation({
  subject: 'identity.v1.email-change.confirm',
  summary: 'Confirm another email address with the link from the mail',
  description:
    'No credential is needed. With the second of the two links the address changes: the old one, as name of a Basic credential too, is refused at every gateway within a second, and all sessions end. Password, API key, second factor and memberships stay.',
  input: z.object({ secret: LinkSecret }),
  output: z.object({
    changed: z
      .boolean()
      .describe('Whether the address has changed. If not, the other address has to confirm.'),
  }),
  errors: ['email_change_not_found', 'email_taken', 'permission_denied'],
  permission: 'public',
})

/** Changes the address of a user who has lost the mailbox. For operators, who know who is asking. */
export const changeUserEmail = operation({
  subject: 'identity.v1.user.change-email',
  summary: 'Change the email address of a user, and end all their sessions',
  input: z.object({ email: Email, new_email: Email }),
  output: z.object({ user_id: Id, email: z.string() }),
  errors: ['email_taken', 'permission_denied', 'user_not_found'],
  permission: 'user:change-email',
})
