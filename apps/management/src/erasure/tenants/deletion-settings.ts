/** Injection token of {@link DeletionSettings}. */
export const DELETION_SETTINGS = Symbol('deletion settings')

/** Times of deletions, in milliseconds. */
export interface DeletionSettings {
  /** From the deletion to the erasure. */
  readonly keptMs: number
  /**
   * From the stop of the credentials to the first erased row: longer than claims are valid and transactions take, so nothing is
   * written any more.
   */
  readonly settleMs: number
  /** After this time another process continues a deletion whose process has died. Turns are shorter. */
  readonly leaseMs: number
}
