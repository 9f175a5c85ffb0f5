import { OperationError } from '@bearing/contracts/errors'
import { Injectable } from '@nestjs/common'

/** Codes that are redeemed at the same time, in all and of one connection. */
const MOST = 32
const MOST_OF_ONE = 4

/**
 * Bounds how many calls wait for identity providers. Connections are made by admins of organizations: a slow provider of
 * one of them must not use up what all others are answered with.
 */
@Injectable()
export class Redeeming {
  private readonly underWay = new Map<string, number>()
  private total = 0

  /** @throws OperationError `overloaded` */
  async run<Result>(connectionId: string, redeem: () => Promise<Result>): Promise<Result> {
    const own = this.underWay.get(connectionId) ?? 0
    if (this.total >= MOST || own >= MOST_OF_ONE)
      throw new OperationError(
        'overloaded',
        'Too many people are signing in at the moment. Try again shortly.',
        {
          retry_after: 2,
        },
      )
    this.total++
    this.underWay.set(connectionId, own + 1)
    try {
      return await redeem()
    } finally {
      this.total--
      const left = (this.underWay.get(connectionId) ?? 1) - 1
      if (left > 0) this.underWay.set(connectionId, left)
      else this.underWay.delete(connectionId)
    }
  }
}
