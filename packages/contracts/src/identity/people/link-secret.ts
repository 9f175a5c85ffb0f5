import { z } from 'zod'

/** The secret of a link that was mailed: 32 random bytes as base64url. It is sent in a body, never in an address. */
export const LinkSecret = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the 43 characters behind the "#" of the link')
