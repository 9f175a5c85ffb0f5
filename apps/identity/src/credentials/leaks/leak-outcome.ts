import type { LeakOutcome as Schema } from '@bearing/contracts/identity/leak'
import type { z } from 'zod'

/** What became of a reported secret. */
export type LeakOutcome = z.output<typeof Schema>
