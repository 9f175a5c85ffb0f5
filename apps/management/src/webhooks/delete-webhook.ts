import { deleteWebhook } from '@bearing/contracts/management/webhook'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { recordAudit } from '../ground/record-audit.js'
import { requireWebhook, rowOf, webhookNotFound } from './webhook-row.js'

/** Deliveries that one statement deletes; the deletion of the webhook deletes the rest. */
const BATCH = 5_000

@Controller()
export class DeleteWebhook {
  constructor(private readonly database: Database) {}

  @Handle(deleteWebhook)
  async execute(input: Input<typeof deleteWebhook>, by: Principal): Promise<Output<typeof deleteWebhook>> {
    await requireWebhook(this.database, input, by)
    let deleted: number
    do {
      deleted = await this.database.$executeRaw`
        DELETE FROM webhook_deliveries WHERE id IN (
          SELECT id FROM webhook_deliveries WHERE webhook_id = ${input.webhook_id}::uuid
          ORDER BY id LIMIT ${BATCH}::integer FOR UPDATE
        )`
    } while (deleted === BATCH)
    await this.database.transaction(async (transaction) => {
      const { count } = await transaction.webhook.deleteMany({ where: rowOf(input) })
      if (count === 0) throw webhookNotFound()
      await transaction.webhookHour.deleteMany({ where: { webhookId: input.webhook_id } })
      recordAudit(transaction, by, {
        action: 'webhook.deleted',
        target: ['webhook', input.webhook_id],
        organizationId: input.organization_id,
        details: { project_id: input.project_id },
      })
    })
    return {}
  }
}
