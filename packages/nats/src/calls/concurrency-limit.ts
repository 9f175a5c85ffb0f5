import { OperationError } from '@bearing/contracts/errors'

/** A key that work counts for, such as a customer, and how much of it may run at the same time. */
export interface Share {
  readonly key: string
  readonly limit: number
}

/** Options of a {@link ConcurrencyLimit}. */
export interface ConcurrencyOptions {
  /** Work that may run at the same time, of all keys together. */
  readonly limit: number
  /** The start of the sentence of a refusal: "Too many tests are running". */
  readonly tooMany: string
  /** The error code if a share is used up (default: `overloaded`, as for the total). */
  readonly shareCode?: 'rate_limited' | 'overloaded'
  /** Time after which the client should retry, in seconds (default: 2). */
  readonly retryAfterS?: number
}

/**
 * Limits concurrent work, in total and for each key, so that one customer leaves capacity for the others. Work beyond a limit is
 * refused and does not wait.
 */
export class ConcurrencyLimit {
  private total = 0
  private readonly active = new Map<string, number>()

  constructor(private readonly options: ConcurrencyOptions) {}

  /**
   * Runs work that counts for the total and for each share.
   *
   * @throws OperationError with `retry_after` if a limit is reached; `overloaded`, or the code for shares
   */
  async run<Result>(shares: readonly Share[], work: () => Promise<Result>): Promise<Result> {
    const { limit, shareCode = 'overloaded' } = this.options
    if (shares.some((share) => this.activeOf(share) >= share.limit)) throw this.refusal(shareCode)
    if (this.total >= limit) throw this.refusal('overloaded')
    this.add(shares, 1)
    try {
      return await work()
    } finally {
      this.add(shares, -1)
    }
  }

  private activeOf({ key }: Share): number {
    return this.active.get(key) ?? 0
  }

  private add(shares: readonly Share[], count: 1 | -1): void {
    this.total += count
    for (const share of shares) {
      const active = this.activeOf(share) + count
      if (active > 0) this.active.set(share.key, active)
      else this.active.delete(share.key)
    }
  }

  private refusal(code: 'rate_limited' | 'overloaded'): OperationError {
    const { tooMany, retryAfterS = 2 } = this.options
    return new OperationError(code, `${tooMany} at the moment. Try again shortly.`, {
      retry_after: retryAfterS,
    })
  }
}
