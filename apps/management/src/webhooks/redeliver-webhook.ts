import { OperationError } from '@bearing/contracts/errors'
import { MAX_REDELIVERIES, TEST_EVENT, redeliverWebhook } from '@bearing/contracts/management/webhook'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Prisma } from '../generated/prisma/client.js'
import { Database, type Transaction } from '../ground/database.js'
import { recordAudit } from '../ground/record-audit.js'
import { requireWebhook } from './webhook-row.js'

@Controller()
export class RedeliverWebhook {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(redeliverWebhook)
  async execute(
    input: Input<typeof redeliverWebhook>,
    by: Principal,
  ): Promise<Output<typeof redeliverWebhook>> {
    const chosen = chosenBy(input)
    return this.database.transaction(async (transaction) => {
      await requireWebhook(transaction, input, by)
      const redelivered = await this.queueAgain(transaction, chosen)
      if (redelivered === 0 && input.delivery_id !== undefined)
        throw await whyNot(transaction, input.webhook_id, input.delivery_id)
      if (redelivered > 0)
        recordAudit(transaction, by, {
          action: 'webhook.redelivered',
          target: ['webhook', input.webhook_id],
          organizationId: input.organization_id,
          details: {
            project_id: input.project_id,
            delivery_id: input.delivery_id ?? null,
            since: input.since ?? null,
            redelivered,
          },
        })
      const unavailable = await countUnavailable(transaction, chosen)
      return { redelivered, unavailable, has_more: redelivered === MAX_REDELIVERIES }
    })
  }

  /** Makes failed deliveries due: the worker then attempts them within the limits, as it does with new ones. */
  private queueAgain(transaction: Transaction, chosen: Prisma.Sql): Promise<number> {
    return transaction.$executeRaw`
      UPDATE webhook_deliveries SET state = 'pending', attempts = 0, next_attempt_at = ${this.clock.now()}::timestamptz
      WHERE id IN (
        SELECT id FROM webhook_deliveries WHERE ${chosen} AND body IS NOT NULL
        ORDER BY id LIMIT ${MAX_REDELIVERIES}::integer FOR UPDATE
      )`
  }
}

/**
 * Returns the condition on the failed deliveries that an input names.
 *
 * @throws OperationError `invalid_input` unless it names either a delivery or a time
 */
function chosenBy({ webhook_id, delivery_id, since }: Input<typeof redeliverWebhook>): Prisma.Sql {
  const failed = Prisma.sql`webhook_id = ${webhook_id}::uuid AND state = 'failed'`
  if (delivery_id !== undefined && since === undefined)
    return Prisma.sql`${failed} AND id = ${delivery_id}::uuid`
  if (since !== undefined && delivery_id === undefined)
    return Prisma.sql`${failed} AND last_attempt_at >= ${since}::timestamptz`
  const detail =
    since === undefined ? 'is missing, or name a time in since' : 'must be left out if since is given'
  throw new OperationError('invalid_input', 'Name either one delivery (delivery_id) or a time (since).', {
    errors: [{ pointer: '/delivery_id', detail }],
  })
}

async function countUnavailable(transaction: Transaction, chosen: Prisma.Sql): Promise<number> {
  const [row] = await transaction.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM webhook_deliveries
    WHERE ${chosen} AND body IS NULL AND event <> ${TEST_EVENT}`
  return row?.count ?? 0
}

const UNAVAILABLE: Readonly<Record<string, string>> = {
  pending: 'The delivery is pending: it is attempted without being asked for.',
  delivered: 'The receiver has accepted the delivery, so its content is no longer stored.',
  failed: 'The content of the delivery is no longer stored. Fetch what you missed.',
}

/** Returns why a delivery was not queued again. */
async function whyNot(transaction: Transaction, webhookId: string, id: string): Promise<OperationError> {
  const row = await transaction.webhookDelivery.findFirst({
    where: { id, webhookId },
    select: { state: true },
  })
  return row
    ? new OperationError(
        'delivery_unavailable',
        UNAVAILABLE[row.state] ?? 'The delivery cannot be sent again.',
      )
    : new OperationError(
        'delivery_not_found',
        'The webhook has no such delivery. List its deliveries: they are kept for 14 days.',
      )
}
