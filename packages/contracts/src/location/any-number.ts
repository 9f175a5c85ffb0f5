import { z } from 'zod'

/**
 * A number of any size, null, or nothing: what JSON writes as 1e999 is none that can be counted with, and is out of range like
 * others. `z.number()` would refuse it, and with it all that was heard.
 */
export const AnyNumber = z
  .custom<number | null>((value) => value === null || typeof value === 'number', 'must be a number')
  .meta({ anyOf: [{ type: 'number' }, { type: 'null' }] })
  .optional()
