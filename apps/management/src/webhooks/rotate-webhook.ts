import { invalidInput } from '@bearing/contracts/errors'
import { rotateWebhook } from '@bearing/contracts/management/webhook'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../ground/database.js'
import { recordAudit } from '../ground/record-audit.js'
import { requireAuditPermission } from './require-data-permission.js'
import { SHOWN, toWebhook, webhookNotFound, type WebhookScope } from './webhook-row.js'
import { WebhookSecrets } from './webhook-secrets.js'

/** The replaced secret. */
interface Current {
  readonly secretBox: Uint8Array<ArrayBuffer>
  readonly keyId: string
  readonly kind: string
  readonly events: readonly string[]
}

@Controller()
export class RotateWebhook {
  constructor(
    private readonly database: Database,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
    private readonly calls: IdempotentCalls,
  ) {}

  @Handle(rotateWebhook)
  async execute(input: Input<typeof rotateWebhook>, by: Principal): Promise<Output<typeof rotateWebhook>> {
    return this.database.transaction((transaction) =>
      this.calls.once(transaction, rotateWebhook, input, by, () => this.rotate(transaction, input, by)),
    )
  }

  private async rotate(
    transaction: Transaction,
    input: Input<typeof rotateWebhook>,
    by: Principal,
  ): Promise<Output<typeof rotateWebhook>> {
    const { webhook_id: id, grace_seconds } = input
    const now = this.clock.now()
    const secret = this.secrets.create(id)
    const current = await lockSecret(transaction, input)
    requireAuditPermission(by, current.events, input)
    if (current.kind !== 'webhook' && current.kind !== 'ndjson')
      throw invalidInput(
        '/webhook_id',
        'has credentials of its own. Change them: PUT the webhook with `destination`',
      )
    const kept = grace_seconds > 0
    const row = await transaction.webhook.update({
      where: { id },
      data: {
        ...secret.stored,
        previousBox: kept ? current.secretBox : null,
        previousKeyId: kept ? current.keyId : null,
        previousUntil: kept ? new Date(now.getTime() + grace_seconds * 1_000) : null,
      },
      select: SHOWN,
    })
    recordAudit(transaction, by, {
      action: 'webhook.rotated',
      target: ['webhook', id],
      organizationId: input.organization_id,
      details: { project_id: input.project_id, grace_seconds },
    })
    return { ...toWebhook(row, now), secret: secret.text }
  }
}

/** Locks the secret: of two concurrent rotations, the second replaces the secret of the first. */
async function lockSecret(transaction: Transaction, scope: WebhookScope): Promise<Current> {
  const [current] = await transaction.$queryRaw<Current[]>`
    SELECT secret_box AS "secretBox", key_id AS "keyId", kind, events FROM webhooks
    WHERE id = ${scope.webhook_id}::uuid AND project_id = ${scope.project_id}::uuid
      AND organization_id = ${scope.organization_id}::uuid
    FOR NO KEY UPDATE`
  if (!current) throw webhookNotFound()
  return current
}
