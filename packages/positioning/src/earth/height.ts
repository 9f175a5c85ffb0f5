/** How high something is, in meters above the sea. */
export interface Altitude {
  readonly meters: number
  /** How far that may be off: in 68 % of cases it is not more. At least 0. */
  readonly accuracyMeters: number
}

/** What a scan says about its height. */
export interface Height {
  /** What the floor is called in its building. */
  readonly floor?: string | undefined
  readonly altitude?: Altitude | undefined
}

/** How high a scan was taken, as far as that can be said. */
export interface EstimatedHeight {
  /** The likeliest floor, and how likely it is: {@link LEAST_PROBABLE} to 1. */
  readonly floor?: { readonly name: string; readonly probability: number } | undefined
  readonly altitude?: Altitude | undefined
}

/** A floor that is less probable is not answered. */
export const LEAST_PROBABLE = 0.3
