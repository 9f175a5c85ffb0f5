import { z } from 'zod'
import { AccessPointCounts } from './location.js'

/** Why one scan has no position: the fields of the problem that a request of this scan alone would be answered with. */
export const ScanProblem = z
  .object({
    /** Code of the error, such as `location_not_found`. */
    code: z.string(),
    detail: z.string(),
    reason: z.string().optional(),
    accessPoints: AccessPointCounts.optional(),
    /** What could not be read; `pointer` is within the scan. */
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
    /** After how many seconds the scan may be sent again. */
    retry_after: z.number().optional(),
  })
  .meta({ id: 'ScanProblem' })
export type ScanProblem = z.infer<typeof ScanProblem>
