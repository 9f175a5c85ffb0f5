import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope } from '../../primitives.js'
import { CellCounts } from '../cells/cell.js'
import { HeardTogether } from './ground-fix.js'
import { LeftOutParts } from '../access-points/left-out.js'
import { Fallback, LocationOptions } from './location-options.js'
import { AccessPointCounts } from '../../errors/error-details.js'
import { Height } from './height.js'
import { Position } from './location.js'
import { ScanProblem } from '../scans/scan-problem.js'

/** Position according to the organization's own data. */
const OwnPlace = {
  lat: Position.lat,
  lon: Position.lon,
  distance: z
    .number()
    .min(0)
    .nullable()
    .describe('Meters from there to the position; null if there is none.'),
}

const OUTCOMES = `
- \`used\`: the position was determined with it.
- \`not_needed\`: it agrees with the others, which say more about the place.
- \`elsewhere\`: it is known to be too far from those that agree, or no two agree.
- \`moves\`: it was heard over so wide an area that it has no place.
- \`not_own\`: the organization does not know it. The base layer may.
- \`opted_out\`: its owner opted out (\`_nomap\`, \`_optout\`).
- \`old\`: it was heard more than 20 s before the latest, or repeats the signal of a previous scan.
- \`duplicate\`: the same address was sent stronger.
- \`not_an_access_point\`: a group address, all zeros, or broadcast.
- \`unreadable\`: the address cannot be read.`

/** Outcome for an access point that was heard. */
export const ExplainedAccessPoint = z
  .object({
    macAddress: z
      .string()
      .nullable()
      .describe('Lower-case hexadecimal with colons; null if it cannot be read.'),
    signalStrength: z.number().nullable().describe('In dBm; null if it was not sent.'),
    locallyAdministered: z
      .boolean()
      .describe('Whether the address is locally administered. Such access points count like others.'),
    outcome: z
      .enum([
        'used',
        'not_needed',
        'elsewhere',
        'moves',
        'not_own',
        'opted_out',
        'old',
        'duplicate',
        'not_an_access_point',
        'unreadable',
      ])
      .describe(OUTCOMES),
    own: z
      .object({
        ...OwnPlace,
        spread: z
          .number()
          .min(0)
          .describe('How far its observations lie from there, in meters (weighted root mean square).'),
        observations: z.number().min(0).describe('How many observations its place comes from.'),
        learned: z.boolean().describe('Whether it was learned from observations; else it was imported.'),
        residual: z
          .number()
          .min(0)
          .nullable()
          .describe('Meters from where it is heard this strong to the position; null if there is none.'),
        expected: z
          .number()
          .min(0)
          .describe('How large the residual is expected to be, in meters (root mean square).'),
      })
      .optional()
      .describe(
        'What the organization itself knows of it; missing if it knows nothing. Never what the base layer knows.',
      ),
  })
  .meta({ id: 'ExplainedAccessPoint' })
export type ExplainedAccessPoint = z.infer<typeof ExplainedAccessPoint>

/** Outcome for a radio cell that was heard. */
export const ExplainedCell = z
  .object({
    cell: z
      .string()
      .nullable()
      .describe(
        '`lte,262,1,7,9`: radio, country, network, area, identity; null if a part is missing or out of range.',
      ),
    outcome: z
      .enum(['used', 'elsewhere', 'not_own', 'not_needed', 'unusable'])
      .describe(
        '`used`, `elsewhere`, `not_own`: as for access points. `not_needed`: Wi-Fi was enough. `unusable`: without a cell.',
      ),
    own: z
      .object({
        ...OwnPlace,
        range: z
          .number()
          .min(0)
          .describe('How far from there it is heard, in meters; 0 if that is not known.'),
        samples: z.number().min(0).describe('How many observations that comes from.'),
      })
      .optional()
      .describe(
        'What the organization itself knows of it; missing if it knows nothing, or if cells were not asked.',
      ),
  })
  .meta({ id: 'ExplainedCell' })
export type ExplainedCell = z.infer<typeof ExplainedCell>

/** A source of positions that was searched, or not. */
const AskedSource = z.object({
  source: z.enum(['wifi', 'cell', 'fallback']).describe('Way to find a position.'),
  outcome: z
    .enum(['found', 'not_found', 'skipped', 'not_asked'])
    .describe(
      '`skipped`: it had nothing to ask, or may not be asked. `not_asked`: a source before it found the position.',
    ),
})

/** Numbers of access points or cells from the base layer. */
const SharedCounts = z.object({
  known: z.int().min(0).describe('Known by the base layer alone, and near the position.'),
  used: z.int().min(0).describe('Of them those that the position was determined with.'),
})

export const Explanation = z
  .object({
    position: z
      .object({ ...Position, ...Height, fulfilledWith: z.enum(['WIFI', 'MCELL', 'SCELL']), ...Fallback })
      .nullable()
      .describe('The position that an ordinary request has, or null.'),
    error: ScanProblem.optional().describe(
      'Why there is none, as an ordinary request says; missing with a position.',
    ),
    radii: z
      .object({ p68: z.number().positive(), p95: z.number().positive() })
      .nullable()
      .describe(
        'Radius in meters that holds the true position in 68 % and in 95 % of cases; null without a position.',
      ),
    sources: z.array(AskedSource).describe('In the order in which they are asked.'),
    counts: z
      .object({ accessPoints: AccessPointCounts, cells: CellCounts })
      .describe('The counts of an ordinary response.'),
    accessPoints: z
      .array(ExplainedAccessPoint)
      .describe('As many as were sent, in the same order: `accessPoints`, then `wifi`.'),
    cells: z.array(ExplainedCell).describe('As many as were sent: `cellTowers`, `lte`, `ltecatm`, `nbiot`.'),
    shared: z
      .object({ accessPoints: SharedCounts, cells: SharedCounts })
      .nullable()
      .describe('Counts alone; null without a position, or if another service found it.'),
    ...LeftOutParts,
  })
  .meta({ id: 'LocationExplanation' })
export type Explanation = z.infer<typeof Explanation>

export const explainLocation = operation({
  subject: 'location.v1.explanation.make',
  summary: 'Explain a position',
  description:
    "Takes what `POST …/ground-fix` takes, and returns its position with the organization's own access points and cells that it comes from, and why others were ignored. Of the base layer it returns counts, never which ones or where they are. It counts as a look-up. Nothing is stored: `device_id` and `reply` have no effect. Unlike the routes for devices it accepts sessions.",
  input: z.object({ ...ProjectScope, ...LocationOptions, ...HeardTogether }),
  output: Explanation,
  errors: ['rate_limited'],
  permission: 'location:resolve',
})
