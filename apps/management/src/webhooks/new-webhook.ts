import { OperationError } from '@bearing/contracts/errors'
import { MAX_WEBHOOKS, type createWebhook } from '@bearing/contracts/management/webhook'
import { AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../ground/database.js'
import { lockProject } from '../ground/locks.js'
import { hourOf } from '../ground/project-hours.js'
import { recordAudit } from '../ground/record-audit.js'
import { requireProject } from '../tenancy/projects/require-project.js'
import { requireBucket } from './put-url.js'
import { WebhookHttp } from './webhook-http.js'
import { SHOWN, toWebhook } from './webhook-row.js'
import { WebhookSecrets } from './webhook-secrets.js'

type Given = Omit<Input<typeof createWebhook>, 'events'>

/** Stores new webhooks of every kind. */
@Injectable()
export class NewWebhook {
  constructor(
    private readonly http: WebhookHttp,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** @throws OperationError `invalid_input` if the outbound guard refuses the URL, or it names no bucket where it has to */
  refuseUrl({ url, destination }: Given): void {
    this.http.refuseInput(url, destination?.kind ?? 'webhook')
    if (destination?.kind === 's3') requireBucket(url)
  }

  /** @throws OperationError `project_not_found`, `too_many_webhooks` */
  async create(
    transaction: Transaction,
    input: Given,
    events: string[],
    by: Principal,
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
