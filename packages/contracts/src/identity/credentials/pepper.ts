import { z } from 'zod'
import { operation } from '../../operation.js'
import { Nothing } from '../../primitives.js'

/** Reports which peppers are in use, so that an operator knows when an old one can be removed. */
export const reportPeppers = operation({
  subject: 'identity.v1.pepper.report',
  summary: 'Count the credentials under each pepper',
  input: Nothing,
  output: z
    .object({
      current: z.string().describe('The id of the pepper that new secrets get.'),
      peppers: z
        .array(
          z.object({
            id: z.string(),
            configured: z
              .boolean()
              .describe(
                'Whether identity has its key. Where it has not, the credentials under it cannot be checked (503).',
              ),
            organization_tokens: z.int().describe('Valid organization auth tokens under it.'),
            user_keys: z.int().describe('User API keys under it.'),
            sessions: z.int().optional().describe('Sessions of browsers under it.'),
            second_factors: z
              .int()
              .optional()
              .describe('Users whose authenticator or one of whose recovery codes is under it.'),
            sso_connections: z
              .int()
              .optional()
              .describe('Single sign-on connections whose client secret is sealed under it.'),
            onboarding_tokens: z.int().optional().describe('Valid onboarding tokens under it.'),
          }),
        )
        .describe('Every pepper that is configured or in use, the current one first.'),
    })
    .meta({ id: 'PepperReport' }),
  errors: [],
  permission: 'pepper:read',
  timeoutMs: 60_000,
})
