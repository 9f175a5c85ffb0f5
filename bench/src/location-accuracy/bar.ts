/** Aims of a set: errors in meters at most. */
export interface Bar {
  readonly medianMeters?: number
  readonly p95Meters?: number
  /** Times the median of the ichnaea-type estimator. */
  readonly ofIchnaea?: number
}

/** By the name of the set. Every set has to fix at least what the ichnaea-type estimator does, less half a point. */
export const BARS: Readonly<Record<string, Bar>> = {
  'UJI official': { medianMeters: 4.2, p95Meters: 16 },
  'IPIN five folds': { medianMeters: 8.5 },
  'IPIN phone B→A': { medianMeters: 4.1 },
  mall: { medianMeters: 5.3 },
  'mall 1/4': { medianMeters: 7.1 },
  'mall 1/16': { ofIchnaea: 1.03 },
}
export const LEAST_FIXED_OF_ICHNAEA = -0.005
/** Shares of truths that have to be within the radii. */
export const HELD_68 = { least: 0.6, most: 0.8 } as const
export const HELD_95 = { least: 0.9, most: 1 } as const
/** A median may grow by this factor where 15 % of the access points were moved. */
export const MOVED = { share: 0.15, factor: 1.1 } as const
/** Times the median without previous scans that it may be with them: half a percent is a few centimeters. */
export const FOLLOWED = 1.005
/** Median time of an estimate of 20 access points, in milliseconds. */
export const ESTIMATE_MS = { size: 20, p50: 0.4, longest: 2 } as const
/** Share of scans that need the right floor, by the name of the set. */
export const FLOOR_BARS: Readonly<Record<string, number>> = { 'UJI official': 0.93, mall: 0.99 }
/** Of floors that claim at least so much, this share has to be right on each set, thinned ones too. */
export const SURE = { claimed: 0.9, right: 0.88 } as const
