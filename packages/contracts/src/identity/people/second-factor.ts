import { z } from 'zod'
import { operation } from '../../operation.js'
import { Email, Id, IdempotencyKey, Nothing, Timestamp } from '../../primitives.js'
import { PasskeyAssertion } from './passkey.js'

/** A code of an authenticator (TOTP, RFC 6238): six digits, which apps show in two groups. */
const TotpCode = z
  .string()
  .trim()
  .regex(/^\d{3} ?\d{3}$/, 'must be six digits')
  .transform((code) => code.replace(' ', ''))

/** Proof of the second factor: one of them. If several are given, the passkey counts, then the code of the authenticator. */
export const SecondFactorCode = {
  passkey: PasskeyAssertion.optional().describe('A passkey that has signed a challenge.'),
  totp_code: TotpCode.optional(),
  recovery_code: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .optional()
    .describe('One of the recovery codes, each of which works once.'),
}

/** Recovery codes that are issued together. */
export const RECOVERY_CODE_COUNT = 10

const RecoveryCodes = z.object({
  recovery_codes: z
    .array(z.string())
    .describe("Each works once in place of an authenticator's code. Shown this once."),
})

export const showTotp = operation({
  subject: 'identity.v1.totp.show',
  summary: "Show whether the caller's second factor is set up",
  input: Nothing,
  output: z
    .object({
      confirmed_at: Timestamp.nullable().describe('Since when it is asked for. Null: there is none.'),
      recovery_codes_left: z.int().min(0),
    })
    .meta({ id: 'SecondFactor' }),
  errors: [],
  permission: 'second-factor:read',
})

export const enrollTotp = operation({
  subject: 'identity.v1.totp.enroll',
  summary: 'Begin to set up an authenticator as the second factor',
  description:
    'Takes the account password, so that nobody can do it with a stolen key or in an unattended browser. Show `uri` as a QR code, then confirm with a code; until then nothing changes.',
  input: z.object({ ...IdempotencyKey, password: z.string().min(1).max(1024) }),
  output: z
    .object({
      secret: z.string().describe('In base 32, for apps that take no picture. Shown this once.'),
      uri: z.string().describe('`otpauth://totp/…`, as authenticator apps read it.'),
    })
    .meta({ id: 'TotpEnrollment' }),
  errors: [
    'idempotency_conflict',
    'password_incorrect',
    'rate_limited',
    'recent_sign_in_required',
    'second_factor_exists',
  ],
  permission: 'second-factor:change',
  proof: 'in-request',
  timeoutMs: 10_000,
})

export const confirmTotp = operation({
  subject: 'identity.v1.totp.confirm',
  summary: 'Turn the second factor on, with a code of the authenticator',
  description:
    'From now on the account password alone is refused everywhere; the user API key keeps working. All other sessions end. The recovery codes are in this reply and never shown again.',
  input: z.object({ ...IdempotencyKey, totp_code: TotpCode }),
  output: RecoveryCodes.meta({ id: 'RecoveryCodes' }),
  errors: [
    'idempotency_conflict',
    'second_factor_exists',
    'second_factor_invalid',
    'second_factor_not_found',
    'rate_limited',
  ],
  permission: 'second-factor:change',
  proof: 'in-request',
})

export const removeTotp = operation({
  subject: 'identity.v1.totp.remove',
  summary: 'Remove the authenticator',
  description: 'Takes `totp_code`, `recovery_code` or `passkey`.',
  input: z.object(SecondFactorCode),
  output: Nothing,
  errors: ['second_factor_invalid', 'second_factor_not_found', 'rate_limited'],
  permission: 'second-factor:change',
  proof: 'in-request',
})

export const renewRecoveryCodes = operation({
  subject: 'identity.v1.recovery-codes.renew',
  summary: 'Get new recovery codes, in place of those before',
  description: 'Takes `totp_code`, `recovery_code` or `passkey`.',
  input: z.object({ ...IdempotencyKey, ...SecondFactorCode }),
  output: RecoveryCodes.meta({ id: 'RenewedRecoveryCodes' }),
  errors: ['idempotency_conflict', 'second_factor_invalid', 'second_factor_not_found', 'rate_limited'],
  permission: 'second-factor:change',
  proof: 'in-request',
})

/** Takes the second factor away from somebody who has lost everything. For operators, who know who is asking. */
export const resetSecondFactor = operation({
  subject: 'identity.v1.second-factor.reset',
  summary: 'Take the second factor away from a user, and end all their sessions',
  input: z.object({ email: Email }),
  output: z.object({ user_id: Id, email: z.string() }),
  errors: ['user_not_found', 'second_factor_not_found'],
  permission: 'second-factor:reset',
})
