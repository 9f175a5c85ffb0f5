import { TEST_EVENT, testWebhook } from '@bearing/contracts/management/webhook'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { Database, isMissingParent } from '../ground/database.js'
import { deliveryBody } from './enqueue-deliveries.js'
import { requireAuditPermission } from './require-data-permission.js'
import { SendData } from './send-data.js'
import { TestLimit, testShares } from './test-limit.js'
import { rowOf, toDelivery, webhookNotFound } from './webhook-row.js'

@Controller()
export class TestWebhook {
  constructor(
    private readonly database: Database,
    private readonly sender: SendData,
    private readonly limit: TestLimit,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Sends once, even if the webhook is paused. The outcome does not change the webhook's state. */
  @Handle(testWebhook)
  async execute(input: Input<typeof testWebhook>, by: Principal): Promise<Output<typeof testWebhook>> {
    const webhook = await this.database.webhook.findUnique({ where: rowOf(input) })
    if (!webhook) throw webhookNotFound()
    requireAuditPermission(by, webhook.events, input)
    const id = this.randomness.newId()
    const createdAt = this.clock.now()
    const { organization_id, project_id } = input
    const body = deliveryBody(TEST_EVENT, createdAt, { organization_id, project_id })
    const send = () => this.sender.test(webhook, { id, body })
    const outcome = await this.limit.run(testShares(input, by), send)
    try {
      const row = await this.database.webhookDelivery.create({
        data: {
          id,
          webhookId: webhook.id,
          projectId: project_id,
          eventId: id,
          event: TEST_EVENT,
          state: outcome.accepted ? 'delivered' : 'failed',
          attempts: 1,
          lastAttemptAt: this.clock.now(),
          status: outcome.status,
          error: outcome.error,
          durationMs: outcome.durationMs,
          createdAt,
        },
      })
      return toDelivery(row)
    } catch (error) {
      if (isMissingParent(error)) throw webhookNotFound()
      throw error
    }
  }
}
