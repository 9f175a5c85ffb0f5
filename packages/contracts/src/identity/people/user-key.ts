import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, IdempotencyKey, Nothing, Timestamp, orNull } from '../../primitives.js'
import { SecondFactorCode } from './second-factor.js'

/** A user's API key, without its secret. */
export const UserKey = z
  .object({
    id: Id,
    created_at: Timestamp,
    expires_at: Timestamp.nullable().default(null).describe('When it stops working. Null: never.'),
    second_factor: z
      .boolean()
      .default(false)
      .describe(
        'Whether it satisfies an organization that requires a second factor: it was created with the one the user has now.',
      ),
  })
  .meta({ id: 'UserKey' })

export const showUserKey = operation({
  subject: 'identity.v1.user-key.show',
  summary: "Show the caller's API key, without its secret",
  input: Nothing,
  output: UserKey.extend({
    api_key: z.null().describe('Always null: the secret was shown once, when the key was made.'),
  }).meta({ id: 'ShownUserKey' }),
  errors: ['user_key_not_found'],
  permission: 'user-key:read',
})

export const cycleUserKey = operation({
  subject: 'identity.v1.user-key.cycle',
  summary: "Create the caller's API key, replacing the one before",
  description:
    'The response contains the secret (`api_key`), which is never shown again. The key before stops working immediately, and the user is notified by mail. If the user has a second factor, the request must prove it: send it in a session that was started with the factor in the last ten minutes, or send `password` with `totp_code`, `recovery_code` or `passkey`. Otherwise the response is 403 `recent_sign_in_required`. Only a key created this way satisfies an organization that requires a second factor.',
  input: z.object({
    ...IdempotencyKey,
    expires_at: orNull(Timestamp).describe('When the key stops working; never if omitted or null.'),
    password: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .describe(
        'The account password, to prove a second factor in this request; with `totp_code` or `recovery_code`.',
      ),
    ...SecondFactorCode,
  }),
  output: UserKey.extend({ api_key: z.string() }).meta({ id: 'CycledUserKey' }),
  errors: [
    'idempotency_conflict',
    'invalid_input',
    'password_incorrect',
    'rate_limited',
    'recent_sign_in_required',
    'second_factor_invalid',
  ],
  permission: 'user-key:cycle',
  proof: 'in-request',
  timeoutMs: 10_000,
})

export const deleteUserKey = operation({
  subject: 'identity.v1.user-key.delete',
  summary: "Delete the caller's API key",
  input: Nothing,
  output: UserKey,
  errors: ['user_key_not_found'],
  permission: 'user-key:delete',
})
