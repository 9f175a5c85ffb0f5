import { z } from 'zod'
import { operation } from '../../operation.js'
import { humanText } from '../../text/human-text.js'
import { MAX_SECRET_LENGTH } from './credential.js'

/** Outcome for a reported secret. */
export const LeakOutcome = z.enum(['revoked', 'flagged', 'inactive', 'unknown']).meta({ id: 'LeakOutcome' })

export const reportLeak = operation({
  subject: 'identity.v1.leak.report',
  summary: 'Report a secret that was found where it should not be',
  description:
    'Having the secret is all the proof that is needed. It is looked up and not stored. An organization auth token is revoked, or only flagged where its organization has chosen so (`when_leaked` of the token policy); a user API key is revoked; an onboarding token is deleted. The outcome is `revoked`, `flagged`, `inactive` (it had expired or was deleted) or `unknown` (not a Bearing credential, mistyped, or an account password: those are never looked up). Reporting a secret again changes nothing.',
  input: z.object({
    secret: z
      .string()
      .min(1)
      .max(MAX_SECRET_LENGTH)
      .describe(
        'An organization auth token (`brgo_…`), a user API key (`brgu_…`) or an onboarding token (`brgn_…`), whole.',
      ),
    found_at: humanText(512)
      .optional()
      .describe('Where it was found, for those whose it is; it must not hold the secret.'),
  }),
  output: z.object({ outcome: LeakOutcome }).meta({ id: 'LeakReport' }),
  errors: ['invalid_input'],
  permission: 'public',
})
