import { OperationError, invalidInput } from '@bearing/contracts/errors'
import { createAuditSink } from '@bearing/contracts/management/operator-audit-sink'
import { DATA_EVENT, MAX_WEBHOOKS, createWebhook } from '@bearing/contracts/management/webhook'
import { ALL_AUDIT_EVENT, AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../ground/database.js'
import { lockProject } from '../ground/locks.js'
import { hourOf } from '../ground/project-hours.js'
import { recordAudit } from '../ground/record-audit.js'
import { requireProject } from '../tenancy/projects/require-project.js'
import { requireBucket } from './put-url.js'
import { requireDataPermission } from './require-data-permission.js'
import { WebhookHttp } from './webhook-http.js'
import { SHOWN, toWebhook } from './webhook-row.js'
import { WebhookSecrets, isAuditSink } from './webhook-secrets.js'

@Controller()
export class CreateWebhook {
  constructor(
    private readonly database: Database,
    private readonly http: WebhookHttp,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly calls: IdempotentCalls,
  ) {}

  @Handle(createWebhook)
  async execute(input: Input<typeof createWebhook>, by: Principal): Promise<Output<typeof createWebhook>> {
    this.refuseUrl(input)
    requireDataPermission(by, eventsOf(input), input)
    return this.database.transaction((transaction) =>
      this.calls.once(transaction, createWebhook, input, by, () => this.create(transaction, input, by)),
    )
  }

  /** The audit log of all organizations, for operators. */
  @Handle(createAuditSink)
  ofOperator(input: Input<typeof createAuditSink>, by: Principal): Promise<Output<typeof createAuditSink>> {
    this.refuseUrl(input)
    if (!isAuditSink(input.destination)) throw invalidInput('/destination/source', 'must be audit_log')
    return this.database.transaction((transaction) =>
      this.create(transaction, { ...input, events: [] }, by, [AUDIT_EVENT, ALL_AUDIT_EVENT]),
    )
  }

  private refuseUrl({ url, destination }: Pick<Input<typeof createWebhook>, 'url' | 'destination'>): void {
    this.http.refuseInput(url, destination?.kind ?? 'webhook')
    if (destination?.kind === 's3') requireBucket(url)
  }

  private async create(
    transaction: Transaction,
    input: Input<typeof createWebhook>,
    by: Principal,
    events = eventsOf(input),
  ): Promise<Output<typeof createWebhook>> {
    const { organization_id: organizationId, project_id: projectId, url, description, destination } = input
    const id = this.randomness.newId()
    const now = this.clock.now()
    const secret = this.secrets.createFor(id, destination)
    await requireProject(transaction, input)
    await lockProject(transaction, projectId)
    if ((await transaction.webhook.count({ where: { projectId } })) >= MAX_WEBHOOKS)
      throw new OperationError(
        'too_many_webhooks',
        `The project has ${String(MAX_WEBHOOKS)} webhooks already. Delete one of them first.`,
      )
    const before = await transaction.projectHour.findUnique({
      where: { projectId_hour: { projectId, hour: hourOf(now) } },
      select: { chunks: true, files: true },
    })
    const row = await transaction.webhook.create({
      data: {
        id,
        organizationId,
        projectId,
        url,
        description: description ?? null,
        events,
        ...secret.stored,
        ...(destination && { pausedAt: now }), // so that 0.1 does not send to it
        ...(events.includes(AUDIT_EVENT) && { dataPosition: 0 }),
        createdAt: now,
        storedBefore: before ? before.chunks + before.files : 0,
      },
      select: SHOWN,
    })
    recordAudit(transaction, by, {
      action: 'webhook.created',
      target: ['webhook', id],
      organizationId,
      details: { project_id: projectId, host: new URL(url).host, kind: secret.stored.kind, events },
    })
    return { ...toWebhook(row, now), secret: secret.text }
  }
}

/** A destination that is no plain webhook receives what devices send, or the audit log, and nothing else. */
function eventsOf({ destination, events }: Input<typeof createWebhook>): string[] {
  if (!destination) return events
  return isAuditSink(destination) ? [AUDIT_EVENT] : [DATA_EVENT]
}
