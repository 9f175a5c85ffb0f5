/** Height in meters above the sea. */
export interface Altitude {
  readonly meters: number
  /** Largest error in 68 % of cases, in meters. At least 0. */
  readonly accuracyMeters: number
}

/** Height that a scan states. */
export interface Height {
  /** Name of the floor in its building. */
  readonly floor?: string | undefined
  readonly altitude?: Altitude | undefined
}

/** Height of a scan, as far as it can be estimated. */
export interface EstimatedHeight {
  /** The likeliest floor, and how likely it is: {@link LEAST_PROBABLE} to 1. */
  readonly floor?: { readonly name: string; readonly probability: number } | undefined
  readonly altitude?: Altitude | undefined
}

/** A floor that is less probable is not answered. */
export const LEAST_PROBABLE = 0.3
