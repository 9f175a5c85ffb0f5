import { ConcurrencyLimit, type Share } from '@bearing/nats/concurrency-limit'
import { Injectable } from '@nestjs/common'

/** Codes that are redeemed at the same time, in all, of one organization, and of one connection. */
const MOST = 32
const MOST_OF_ORGANIZATION = 8
const MOST_OF_CONNECTION = 4

/**
 * Bounds how many people who sign in wait for identity providers. They are not to blame for a slow provider, so they do not
 * hear that they were too fast.
 */
@Injectable()
export class Redeeming extends ConcurrencyLimit {
  constructor() {
    super({ limit: MOST, tooMany: 'Too many people are signing in' })
  }
}

interface Connection {
  readonly id: string
  /** Null: it is that of a partner. */
  readonly organizationId: string | null
}

/** An organization may have any number of connections, and most have one or two. */
export function sharesOf({ id, organizationId }: Connection): readonly Share[] {
  const own = { key: id, limit: MOST_OF_CONNECTION }
  return organizationId === null ? [own] : [own, { key: organizationId, limit: MOST_OF_ORGANIZATION }]
}
