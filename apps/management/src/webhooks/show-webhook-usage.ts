import { medianOf, sumOf } from '@bearing/contracts/histogram'
import { showWebhookUsage } from '@bearing/contracts/management/webhook'
import type { Input, Output } from '@bearing/contracts/operation'
import { pointsOf } from '@bearing/contracts/usage'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { requireWebhook } from './webhook-row.js'

@Controller()
export class ShowWebhookUsage {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(showWebhookUsage)
  async execute(input: Input<typeof showWebhookUsage>): Promise<Output<typeof showWebhookUsage>> {
    await requireWebhook(this.database, input)
    const { step, at } = pointsOf(input.period, this.clock.now())
    const rows = await this.database.$queryRaw<
      { at: Date; delivered: number; failed: number; durations: number[][] }[]
    >`
      SELECT date_trunc(${step}::text, hour, 'UTC') AS at, sum(delivered)::float8 AS delivered, sum(failed)::float8 AS failed,
             coalesce(json_agg(durations) FILTER (WHERE delivered > 0), '[]') AS durations
      FROM webhook_hours
      WHERE webhook_id = ${input.webhook_id}::uuid AND hour >= ${at[0]}::timestamptz
      GROUP BY 1`
    const byPoint = new Map(rows.map((row) => [row.at.toISOString(), row]))
    return {
      step,
      points: at.map((start) => {
        const { delivered = 0, failed = 0, durations = [] } = byPoint.get(start) ?? {}
        return { at: start, delivered, failed, median_duration_ms: medianOf(sumOf(durations)) }
      }),
    }
  }
}
