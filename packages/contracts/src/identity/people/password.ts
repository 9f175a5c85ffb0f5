import { z } from 'zod'
import { operation } from '../../operation.js'
import { Email, Nothing } from '../../primitives.js'
import { LinkSecret } from './link-secret.js'
import { isOpaqueString } from '../credentials/opaque-string.js'

/** A password that is set. No kinds of characters are asked for (NIST SP 800-63B-4, 3.1.1.2). */
export const NewPassword = z
  .string()
  .min(12)
  .max(1024)
  .refine(isOpaqueString, 'must not contain control characters or invisible characters (RFC 8265)')

export const changePassword = operation({
  subject: 'identity.v1.password.change',
  summary: "Change the calling user's password",
  description:
    'It takes the current password, whatever the caller has authenticated with. All of the user’s sessions end, and the old password stops at every gateway; the API key keeps working.',
  input: z.object({ current_password: z.string().min(1).max(1024), new_password: NewPassword }),
  output: Nothing,
  errors: ['password_incorrect', 'rate_limited', 'user_required'],
  permission: 'password:change',
  proof: 'in-request',
  timeoutMs: 10_000,
})

/** The answer is the same, and takes the same work, whether or not there is such an account. */
export const requestPasswordReset = operation({
  subject: 'identity.v1.password.request-reset',
  summary: 'Ask for a mail with a link to set a new password',
  description:
    'No credential is needed. The answer is the same for every address. Where there is an account that may have a password, a link is mailed to it, at most one every few minutes; it works once, for an hour.',
  input: z.object({ email: Email }),
  output: Nothing,
  errors: ['mail_not_configured'],
  permission: 'public',
})

export const resetPassword = operation({
  subject: 'identity.v1.password.reset',
  summary: 'Set a new password with the link from the mail',
  description:
    'No credential is needed. All of the user’s sessions end, and the old password stops at every gateway; the API key keeps working. Sign in afterwards as usual.',
  input: z.object({ secret: LinkSecret, password: NewPassword }),
  output: Nothing,
  errors: ['password_reset_not_found', 'sso_required'],
  permission: 'public',
  timeoutMs: 10_000,
})
