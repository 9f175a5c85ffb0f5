import { z } from 'zod'
import { operation } from '../operation.js'
import { OrganizationScope, Timestamp } from '../primitives.js'

/** Shares of scans, 0 to 1, whose position was inside of the radius of 68 % and of 95 %. */
const Held = z.object({ p68: z.number().min(0).max(1), p95: z.number().min(0).max(1) })

/** What the radii of an organization's positions are computed with. */
export const Calibration = z
  .object({
    source: z
      .enum(['own', 'usual'])
      .describe(
        "- `own`: coefficients that were fitted to the organization's own scans. - `usual`: those that Bearing comes with, because there are too few scans.",
      ),
    fitted_at: Timestamp.nullable().describe(
      'When that was last looked at; null where it never was, because too little is known.',
    ),
    scans: z.int().min(0).describe('Reference scans that there were then, the latest 20,000 at most.'),
    outcomes: z.int().min(0).describe('How many of them were located from the others.'),
    needed: z.int().min(0).describe('How many reference scans are needed.'),
    held: z
      .object({ usual: Held, own: Held })
      .nullable()
      .describe('How often radii held, of scans that nothing was fitted to; null where there are too few.'),
  })
  .meta({ id: 'Calibration' })

export const showCalibration = operation({
  subject: 'location.v1.calibration.show',
  summary: "Show the calibration of an organization's radii",
  description:
    'Radii are fitted to the errors with which its own scans are located from each other, if it has contributed enough of them.',
  input: z.object(OrganizationScope),
  output: Calibration,
  errors: [],
  permission: 'access-point:read',
})
