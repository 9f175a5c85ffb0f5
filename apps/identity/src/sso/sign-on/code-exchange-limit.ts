import { ConcurrencyLimit, type Share } from '@bearing/nats/concurrency-limit'
import { Injectable } from '@nestjs/common'

/** Code exchanges at the same time, in total, per organization and per connection. */
const MAX_TOTAL = 32
const MAX_PER_ORGANIZATION = 8
const MAX_PER_CONNECTION = 4

/** Limits concurrent code exchanges with identity providers. Users are not to blame for a slow provider: `overloaded`. */
@Injectable()
export class CodeExchangeLimit extends ConcurrencyLimit {
  constructor() {
    super({ limit: MAX_TOTAL, tooMany: 'Too many people are signing in' })
  }
}

interface Connection {
  readonly id: string
  /** Null for a connection of a partner. */
  readonly organizationId: string | null
}

/** Returns what a code exchange counts for. */
export function sharesOf({ id, organizationId }: Connection): readonly Share[] {
  const own = { key: id, limit: MAX_PER_CONNECTION }
  return organizationId === null ? [own] : [own, { key: organizationId, limit: MAX_PER_ORGANIZATION }]
}
