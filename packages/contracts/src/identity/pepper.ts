import { z } from 'zod'
import { operation } from '../operation.js'
import { Nothing } from '../primitives.js'

/** Reports which peppers are in use, so that an operator knows when an old one can be removed. */
export const reportPeppers = operation({
  subject: 'identity.v1.pepper.report',
  summary: 'Count the credentials under each pepper',
  input: Nothing,
  output: z
    .object({
      /** The id of the pepper that new secrets get. */
      current: z.string(),
      /** Every pepper that is configured or in use, the current one first. */
      peppers: z.array(
        z.object({
          id: z.string(),
          /** Whether identity has its key. Where it has not, the credentials under it cannot be checked (503). */
          configured: z.boolean(),
          /** Valid organization auth tokens under it. */
          organization_tokens: z.int(),
          /** User API keys under it. */
          user_keys: z.int(),
          /** Sessions of browsers under it. */
          sessions: z.int().optional(),
          /** Users whose authenticator or one of whose recovery codes is under it. */
          second_factors: z.int().optional(),
          /** Single sign-on connections whose client secret is sealed under it. */
          sso_connections: z.int().optional(),
        }),
      ),
    })
    .meta({ id: 'PepperReport' }),
  errors: [],
  permission: 'pepper:read',
  timeoutMs: 60_000,
})
