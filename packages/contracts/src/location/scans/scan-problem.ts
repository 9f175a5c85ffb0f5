import { z } from 'zod'
import { AccessPointCounts } from '../../errors/error-details.js'

/** The reason for a scan without a position: the fields of the problem that a request of this scan alone would be answered with. */
export const ScanProblem = z
  .object({
    code: z.string().describe('Code of the error, such as `location_not_found`.'),
    detail: z.string(),
    reason: z.string().optional().describe('Narrows the code, such as `too_few_known`.'),
    accessPoints: AccessPointCounts.optional(),
    errors: z
      .array(z.object({ pointer: z.string(), detail: z.string() }))
      .optional()
      .describe('What could not be read; `pointer` is within the scan.'),
    retry_after: z.number().optional().describe('After how many seconds the scan may be sent again.'),
  })
  .meta({ id: 'ScanProblem' })
export type ScanProblem = z.infer<typeof ScanProblem>
