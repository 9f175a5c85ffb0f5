import type { Principal } from '@bearing/contracts/principal'
import { ConcurrencyLimit, type Share } from '@bearing/nats/concurrency-limit'
import { Injectable } from '@nestjs/common'
import type { WebhookScope } from './webhook-row.js'

/** Concurrent tests of webhooks: in all, and of one organization or one caller. */
const MAX_TESTS = 32
const MAX_OF_ONE = 4

/** Limits the calls that wait for the reply of a webhook to a test. */
@Injectable()
export class TestLimit extends ConcurrencyLimit {
  constructor() {
    super({ limit: MAX_TESTS, shareCode: 'rate_limited', tooMany: 'Too many tests of webhooks are running' })
  }
}

/** Returns the shares of a test: one at a time of a webhook, and few of an organization and of a user, who may belong to many. */
export function testShares({ webhook_id, organization_id }: WebhookScope, by: Principal): readonly Share[] {
  const caller = by.kind === 'user' ? [by.user_id] : []
  const many = [organization_id, ...caller].map((key) => ({ key, limit: MAX_OF_ONE }))
  return [{ key: webhook_id, limit: 1 }, ...many]
}
