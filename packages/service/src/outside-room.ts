import { OperationError } from '@bearing/contracts/errors'

/** Whose calls are counted together, by any name that nobody else has, and how many of them may wait at the same time. */
export interface Share {
  readonly of: string
  readonly most: number
}

/** How many calls may wait, and what is said to those that may not. */
export interface OutsideLimits {
  /** In all, in this process. */
  readonly most: number
  /** The code for whom a share is used up of; where there is no room at all it is `overloaded`. */
  readonly beyondShare: 'rate_limited' | 'overloaded'
  /** Of what there are too many, as a sentence begins: "Too many tests". */
  readonly tooMany: string
}

/** After so many seconds it is worth another try: what waits does so for some seconds. */
const RETRY_AFTER_S = 2

/**
 * Bounds how many calls wait for an address that a customer has named. Such an address may take its time on purpose, so what
 * waits for it must not use up what everybody else is answered with; and those of one customer leave room for others.
 */
export class OutsideRoom {
  private readonly underWay = new Map<string, number>()
  private total = 0

  constructor(private readonly limits: OutsideLimits) {}

  /**
   * Does what waits for somebody outside.
   *
   * @param shares those that it counts in: each has to have a place left, and is looked at before all together are
   * @throws OperationError `overloaded`, or the code for whom a share is used up of, with `retry_after`
   */
  async run<Result>(shares: readonly Share[], work: () => Promise<Result>): Promise<Result> {
    const { most, beyondShare } = this.limits
    if (shares.some((share) => this.of(share) >= share.most)) throw this.refusal(beyondShare)
    if (this.total >= most) throw this.refusal('overloaded')
    this.add(shares, 1)
    try {
      return await work()
    } finally {
      this.add(shares, -1)
    }
  }

  private of({ of }: Share): number {
    return this.underWay.get(of) ?? 0
  }

  private add(shares: readonly Share[], count: 1 | -1): void {
    this.total += count
    for (const share of shares) {
      const now = this.of(share) + count
      if (now > 0) this.underWay.set(share.of, now)
      else this.underWay.delete(share.of)
    }
  }

  private refusal(code: 'rate_limited' | 'overloaded'): OperationError {
    return new OperationError(code, `${this.limits.tooMany} at the moment. Try again shortly.`, {
      retry_after: RETRY_AFTER_S,
    })
  }
}
