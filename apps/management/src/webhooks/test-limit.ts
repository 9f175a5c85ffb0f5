import type { Principal } from '@bearing/contracts/principal'
import { OutsideRoom, type Share } from '@bearing/service/outside-room'
import { Injectable } from '@nestjs/common'
import type { WebhookPlace } from './webhook-row.js'

/** Tests of webhooks that are under way at the same time, in all, and of one organization or one caller. */
const MOST = 32
const MOST_OF_ONE = 4

/** Bounds how many calls wait for what webhooks answer to a test. */
@Injectable()
export class TestingWebhooks extends OutsideRoom {
  constructor() {
    super({ most: MOST, beyondShare: 'rate_limited', tooMany: 'Too many tests of webhooks are under way' })
  }
}

/** One test at a time of a webhook. One person may have any number of organizations, so that of the organization is not enough. */
export function sharesOf({ webhook_id, organization_id }: WebhookPlace, by: Principal): readonly Share[] {
  const caller = by.kind === 'user' ? [by.user_id] : []
  const many = [organization_id, ...caller].map((of) => ({ of, most: MOST_OF_ONE }))
  return [{ of: webhook_id, most: 1 }, ...many]
}
