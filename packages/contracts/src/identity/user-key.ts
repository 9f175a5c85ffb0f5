import { z } from 'zod'
import { operation } from '../operation.js'
import { Id, Nothing, Timestamp } from '../primitives.js'

/** A user's API key, without its secret. */
export const UserKey = z.object({ id: Id, created_at: Timestamp }).meta({ id: 'UserKey' })

export const showUserKey = operation({
  subject: 'identity.v1.user-key.show',
  summary: "Show the caller's API key, without its secret",
  input: Nothing,
  output: UserKey.extend({
    /** Always null: the secret was shown once, when the key was made. */
    api_key: z.null(),
  }).meta({ id: 'ShownUserKey' }),
  errors: ['user_key_not_found'],
  permission: 'user-key:read',
})

export const cycleUserKey = operation({
  subject: 'identity.v1.user-key.cycle',
  summary: "Create the caller's API key, replacing the one before",
  description: 'The secret (`api_key`) is in this reply and never shown again. The key before stops at once.',
  input: Nothing,
  output: UserKey.extend({ api_key: z.string() }).meta({ id: 'CycledUserKey' }),
  errors: [],
  permission: 'user-key:cycle',
})

export const deleteUserKey = operation({
  subject: 'identity.v1.user-key.delete',
  summary: "Delete the caller's API key",
  input: Nothing,
  output: UserKey,
  errors: ['user_key_not_found'],
  permission: 'user-key:delete',
})
