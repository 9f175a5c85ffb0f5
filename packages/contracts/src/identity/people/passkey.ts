import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, IdempotencyKey, Name, Nothing, PageRequest, Timestamp, pageOf } from '../../primitives.js'

/** The most passkeys of a user. */
export const MAX_PASSKEYS = 20

/** Lifetime of a challenge, in seconds. */
export const CHALLENGE_VALID_S = 300

const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'must be base64url')

/** Reply of `navigator.credentials.get()`: the passkey has signed the challenge. All fields are base64url. */
export const PasskeyAssertion = z
  .object({
    credential_id: bytes(1_364).describe('`id` of the credential.'),
    client_data: bytes(4_096).describe('`response.clientDataJSON`.'),
    authenticator_data: bytes(4_096).describe('`response.authenticatorData`.'),
    signature: bytes(4_096).describe('`response.signature`.'),
  })
  .meta({ id: 'PasskeyAssertion' })
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

/** A passkey of a user, without its key. */
export const Passkey = z
  .object({
    id: Id,
    credential_id: z.string().describe('Id that the authenticator gave it, in base64url.'),
    name: z.string(),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().describe('Null: it has not been used since it was added.'),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof Passkey>

/** Takes no email address, so its reply reveals nothing of an account. */
export const challengePasskey = operation({
  subject: 'identity.v1.passkey.challenge',
  summary: 'Get a challenge for a passkey',
  description: `For \`navigator.credentials.get()\` and \`create()\`, with user verification \`required\`. A challenge is valid for ${String(CHALLENGE_VALID_S / 60)} minutes, and each passkey signs it once.`,
  input: Nothing,
  output: z
    .object({
      challenge: z.string().describe('In base64url.'),
      rp_id: z.string().describe('Relying party: the host of the public URL.'),
    })
    .meta({ id: 'PasskeyChallenge' }),
  errors: [],
  permission: 'public',
})

export const listPasskeys = operation({
  subject: 'identity.v1.passkey.list',
  summary: "List the caller's passkeys",
  input: z.object(PageRequest),
  output: pageOf(Passkey),
  errors: [],
  permission: 'second-factor:read',
})

export const addPasskey = operation({
  subject: 'identity.v1.passkey.add',
  summary: 'Add a passkey',
  description:
    'Create it with `navigator.credentials.create()`: a discoverable credential with user verification, for a challenge of `POST /auth/passkeys/challenge`. It signs in without a password, and is a second factor beside the password, so the account password alone is refused from now on. The user is notified by mail. With the first second factor all other sessions end.',
  input: z.object({
    ...IdempotencyKey,
    name: Name,
    client_data: bytes(4_096).describe('`response.clientDataJSON`, in base64url.'),
    attestation_object: bytes(16_384).describe('`response.attestationObject`, in base64url.'),
  }),
  output: Passkey.extend({
    recovery_codes: z
      .array(z.string())
      .describe(
        'Each works once in place of a second factor. Shown this once; empty if the user has recovery codes already.',
      ),
  }).meta({ id: 'AddedPasskey' }),
  errors: [
    'idempotency_conflict',
    'recent_sign_in_required',
    'second_factor_exists',
    'second_factor_invalid',
  ],
  permission: 'second-factor:change',
  proof: 'recent',
  timeoutMs: 10_000,
})

export const renamePasskey = operation({
  subject: 'identity.v1.passkey.rename',
  summary: "Rename one of the caller's passkeys",
  input: z.object({ passkey_id: Id, name: Name }),
  output: Passkey,
  errors: ['recent_sign_in_required', 'second_factor_not_found'],
  permission: 'second-factor:change',
})

export const removePasskey = operation({
  subject: 'identity.v1.passkey.remove',
  summary: "Remove one of the caller's passkeys",
  description: 'Without another second factor, the recovery codes are deleted too.',
  input: z.object({ passkey_id: Id }),
  output: Nothing,
  errors: ['recent_sign_in_required', 'second_factor_not_found'],
  permission: 'second-factor:change',
  proof: 'recent',
})
