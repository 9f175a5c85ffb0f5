import { normalizeRange } from '@bearing/access/address-ranges'
import type { z } from 'zod'

/** Reads a setting of ranges of addresses, comma separated; of none where it is empty. For `transform` of zod. */
export function readRanges(text: string, context: z.RefinementCtx): readonly string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return parts.flatMap((part) => {
    const range = normalizeRange(part)
    if (range !== undefined) return range
    context.addIssue({
      code: 'custom',
      message: 'must be addresses or ranges like 10.0.0.0/8, comma separated',
    })
    return []
  })
}
