import type { LeakOutcome as Schema } from '@bearing/contracts/identity/credentials/leak'
import type { z } from 'zod'

/** The outcome of a reported leak. */
export type LeakOutcome = z.output<typeof Schema>
