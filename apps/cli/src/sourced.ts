/** A value and the flag, variable or file it came from. */
export interface Sourced {
  readonly value: string
  readonly from: string
}
