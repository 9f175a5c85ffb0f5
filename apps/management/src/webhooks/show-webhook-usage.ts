import { medianOf, sumOf } from '@bearing/contracts/counts/histogram'
import { DATA_EVENT, showWebhookUsage } from '@bearing/contracts/management/webhook'
import { AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import type { Input, Output } from '@bearing/contracts/operation'
import { pointsOf } from '@bearing/contracts/counts/usage'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import type { Webhook } from '../generated/prisma/client.js'
import { Database } from '../ground/database.js'
import { hourOf } from '../ground/project-hours.js'
import { AuditDeliveries } from './audit-deliveries.js'
import { dataBacklogOf } from './data-lag.js'
import { rowOf, webhookNotFound } from './webhook-row.js'

interface Counts {
  readonly at: Date
  readonly delivered: number
  readonly failed: number
  readonly durations: number[][]
  readonly items: number
  readonly refused: number
}

@Controller()
export class ShowWebhookUsage {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly audit: AuditDeliveries,
  ) {}

  @Handle(showWebhookUsage)
  async execute(input: Input<typeof showWebhookUsage>): Promise<Output<typeof showWebhookUsage>> {
    const webhook = await this.database.webhook.findUnique({
      where: rowOf(input),
      select: {
        id: true,
        organizationId: true,
        projectId: true,
        events: true,
        createdAt: true,
        storedBefore: true,
        dataPosition: true,
      },
    })
    if (!webhook) throw webhookNotFound()
    const now = this.clock.now()
    const { step, at } = pointsOf(input.period, now)
    const isData = webhook.events.includes(DATA_EVENT)
    const [rows, stored, lag] = await Promise.all([
      this.database.$queryRaw<Counts[]>`
        SELECT date_trunc(${step}::text, hour, 'UTC') AS at, sum(delivered)::float8 AS delivered, sum(failed)::float8 AS failed,
               coalesce(json_agg(durations) FILTER (WHERE delivered > 0), '[]') AS durations,
               sum(items)::float8 AS items, sum(refused)::float8 AS refused
        FROM webhook_hours
        WHERE webhook_id = ${input.webhook_id}::uuid AND hour >= ${at[0]}::timestamptz
        GROUP BY 1`,
      isData ? this.stored(webhook, step, at[0]) : [],
      isData
        ? dataBacklogOf(this.database, webhook.id)
        : webhook.events.includes(AUDIT_EVENT)
          ? this.audit.backlogOf(webhook, webhook.dataPosition)
          : null,
    ])
    const byPoint = new Map(rows.map((row) => [row.at.toISOString(), row]))
    const storedByPoint = new Map(stored.map((row) => [row.at.toISOString(), row.items]))
    return {
      step,
      points: at.map((start) => {
        const { delivered = 0, failed = 0, durations = [], items = 0, refused = 0 } = byPoint.get(start) ?? {}
        return {
          ...{ at: start, delivered, failed, median_duration_ms: medianOf(sumOf(durations)) },
          ...{ items_stored: storedByPoint.get(start) ?? 0, items_delivered: items, items_refused: refused },
        }
      }),
      lag: lag && {
        items: lag.entries,
        seconds: lag.since ? Math.max(0, now.getTime() - lag.since.getTime()) / 1_000 : 0,
      },
    }
  }

  /** Counts what the project has stored since a time and since the webhook was created. */
  private stored(
    { projectId, createdAt, storedBefore }: Pick<Webhook, 'projectId' | 'createdAt' | 'storedBefore'>,
    step: string,
    since: string | undefined,
  ) {
    const created = hourOf(createdAt)
    return this.database.$queryRaw<Pick<Counts, 'at' | 'items'>[]>`
      SELECT date_trunc(${step}::text, hour, 'UTC') AS at,
             sum(chunks + files - CASE WHEN hour = ${created}::timestamptz THEN ${storedBefore}::bigint ELSE 0 END)::float8 AS items
      FROM project_hours
      WHERE project_id = ${projectId}::uuid AND hour >= greatest(${since}::timestamptz, ${created}::timestamptz)
      GROUP BY 1`
  }
}
