import { z } from 'zod'
import { operation } from '../operation.js'
import { ProjectScope } from '../primitives.js'
import { CellCounts } from './cell.js'
import { HeardTogether, TOO_MANY_TOGETHER, hasFewEnough } from './ground-fix.js'
import { Fallback, LocationOptions } from './location-options.js'
import { AccessPointCounts, Position } from './location.js'
import { ScanProblem } from './scan-problem.js'

/** Where the organization itself says that something is. */
const OwnPlace = {
  /** In degrees, WGS 84. */
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  /** Meters from there to the position; null if there is none. */
  distance: z.number().min(0).nullable(),
}

/** What became of an access point that was heard. */
export const ExplainedAccessPoint = z
  .object({
    /** Lower-case hexadecimal with colons; null if it cannot be read. */
    macAddress: z.string().nullable(),
    /** In dBm; null if it was not sent. */
    signalStrength: z.number().nullable(),
    /** Whether the address is locally administered. Such access points count like others. */
    locallyAdministered: z.boolean(),
    /**
     * - `used`: the position was determined with it.
     * - `not_needed`: it agrees with the others, which say more about the place.
     * - `elsewhere`: it is known to be too far from those that agree, or no two agree.
     * - `moves`: it was heard over so wide an area that it has no place.
     * - `not_own`: the organization does not know it. The shared layer may.
     * - `opted_out`: its owner opted out (`_nomap`, `_optout`).
     * - `old`: it was heard more than 20 s before the latest.
     * - `duplicate`: the same address was sent stronger.
     * - `not_an_access_point`: a group address, all zeros, or broadcast.
     * - `unreadable`: the address cannot be read.
     */
    outcome: z.enum([
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
    ]),
    /** What the organization itself knows of it; missing if it knows nothing. Never what the shared layer knows. */
    own: z
      .object({
        ...OwnPlace,
        /** How far its observations lie from there, in meters (weighted root mean square). */
        spread: z.number().min(0),
        observations: z.number().min(0),
        /** Whether it was learned from observations; else it was imported. */
        learned: z.boolean(),
        /** Meters from where it is heard this strong to the position; null if there is none. */
        residual: z.number().min(0).nullable(),
        /** How large the residual is expected to be, in meters (root mean square). */
        expected: z.number().min(0),
      })
      .optional(),
  })
  .meta({ id: 'ExplainedAccessPoint' })
export type ExplainedAccessPoint = z.infer<typeof ExplainedAccessPoint>

/** What became of a radio cell that was heard. */
export const ExplainedCell = z
  .object({
    /** `lte,262,1,7,9`: radio, country, network, area, identity; null if a part is missing or out of range. */
    cell: z.string().nullable(),
    /** `used`, `elsewhere`, `not_own`: as for access points. `not_needed`: Wi-Fi was enough. `unusable`: without a cell. */
    outcome: z.enum(['used', 'elsewhere', 'not_own', 'not_needed', 'unusable']),
    /** What the organization itself knows of it; missing if it knows nothing, or if cells were not asked. */
    own: z
      .object({
        ...OwnPlace,
        /** How far from there it is heard, in meters; 0 if that is not known. */
        range: z.number().min(0),
        samples: z.number().min(0),
      })
      .optional(),
  })
  .meta({ id: 'ExplainedCell' })
export type ExplainedCell = z.infer<typeof ExplainedCell>

/** A source of positions that was searched, or not. */
const AskedSource = z.object({
  source: z.enum(['wifi', 'cell', 'fallback']),
  /** `skipped`: it had nothing to ask, or may not be asked. `not_asked`: a source before it found the position. */
  outcome: z.enum(['found', 'not_found', 'skipped', 'not_asked']),
})

/** How many of the shared layer went into a position. */
const SharedCounts = z.object({
  /** Known by the shared layer alone, and near the position. */
  known: z.int().min(0),
  /** Of them those that the position was determined with. */
  used: z.int().min(0),
})

export const Explanation = z
  .object({
    /** The position that an ordinary request has, or null. */
    position: z
      .object({ ...Position, fulfilledWith: z.enum(['WIFI', 'MCELL', 'SCELL']), ...Fallback })
      .nullable(),
    /** Why there is none, as an ordinary request says; missing with a position. */
    error: ScanProblem.optional(),
    /** Radius in meters that holds the true position in 68 % and in 95 % of cases; null without a position. */
    radii: z.object({ p68: z.number().positive(), p95: z.number().positive() }).nullable(),
    /** In the order in which they are asked. */
    sources: z.array(AskedSource),
    counts: z.object({ accessPoints: AccessPointCounts, cells: CellCounts }),
    /** As many as were sent, in the same order: `accessPoints`, then `wifi`. */
    accessPoints: z.array(ExplainedAccessPoint),
    /** As many as were sent: `cellTowers`, `lte`, `ltecatm`, `nbiot`. */
    cells: z.array(ExplainedCell),
    /** Counts alone; null without a position, or if another service found it. */
    shared: z.object({ accessPoints: SharedCounts, cells: SharedCounts }).nullable(),
  })
  .meta({ id: 'LocationExplanation' })
export type Explanation = z.infer<typeof Explanation>

export const explainLocation = operation({
  subject: 'location.v1.explanation.make',
  summary: 'Explain a position',
  description:
    "Takes what `POST …/ground-fix` takes, and returns its position with the organization's own access points and cells that it comes from, and why others were ignored. Of the shared layer it returns counts, never which ones or where they are. It counts as a look-up. Nothing is stored: `device_id` and `reply` have no effect. Unlike the routes for devices it accepts sessions.",
  input: z
    .object({
      ...ProjectScope,
      confidence: LocationOptions.confidence,
      config: LocationOptions.config,
      ...HeardTogether,
    })
    .refine(hasFewEnough, TOO_MANY_TOGETHER),
  output: Explanation,
  errors: ['rate_limited'],
  permission: 'location:resolve',
})
