import { MAX_SINK_ROWS, readAuditEntries } from '@bearing/contracts/identity/audit/audit-checkpoint'
import { ALL_AUDIT_EVENT, AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import type { Output } from '@bearing/contracts/operation'
import { NatsClient } from '@bearing/nats/client'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import type { Backlog } from '@bearing/service/observe/measure-queues'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../config.js'
import { Database } from '../ground/database.js'

import type { DueDelivery } from './due-deliveries.js'
import { NOT_DELETED } from './not-deleted.js'
import { QueueBatch, readEnd, type DataEnd } from './queue-batch.js'

const INTERVAL_MS = 2_000

type Rows = Output<typeof readAuditEntries>

/** Content of a delivery of the audit log. */
export interface AuditOfDelivery {
  /** The position before its first row. */
  readonly after: bigint
  readonly rows: Rows['data']
  readonly checkpoints: readonly string[]
  readonly end: DataEnd
}

interface Of {
  readonly organizationId: string
  readonly events: readonly string[]
}

interface Sink {
  readonly id: string
  readonly kind: string
  /** Null: all. */
  readonly chain: string | null
  readonly position: bigint
  readonly is_pending: boolean
}

/**
 * Queues rows of the audit log for the webhooks that receive it, like `DataDeliveries`: one delivery at a time of each, which has
 * the sequence that it ends at. Identity has the rows. Any number of processes may run it.
 */
@Injectable()
export class AuditDeliveries extends BackgroundJob {
  private waiting: Backlog = { entries: 0, since: null }

  constructor(
    private readonly database: Database,
    private readonly client: NatsClient,
    private readonly batches: QueueBatch,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.queueAll(),
      logger,
      failure: 'the audit log cannot be queued for its sinks; retrying',
    })
  }

  /** Returns what waited for sinks that are not paused when they were last looked at. */
  backlog(): Promise<Backlog> {
    return Promise.resolve(this.waiting)
  }

  /** Returns what waits for a sink, paused or not. */
  async backlogOf(sink: Of, position: bigint): Promise<Backlog> {
    return backlogOf(position, await this.read(chainOf(sink), position, 1))
  }

  /** Returns what is in a delivery. */
  async partOf({ id, body }: Pick<DueDelivery, 'id' | 'body'>): Promise<AuditOfDelivery> {
    const { dataPosition: after, ...sink } = await this.database.webhook.findUniqueOrThrow({
      where: { id },
      select: { organizationId: true, events: true, dataPosition: true },
    })
    const end = readEnd(body)
    const limit = Math.max(1, Math.min(MAX_SINK_ROWS, Number(end.position - after)))
    const { data, positions, checkpoints } = await this.read(chainOf(sink), after, limit)
    const rows = data.filter((_, index) => (positions[index] ?? 0) <= Number(end.position))
    if (end.position > after && !positions.includes(Number(end.position)))
      throw new Error('the audit log no longer has the rows of a delivery')
    return { after, rows, checkpoints, end }
  }

  private async queueAll(): Promise<void> {
    // The event is a literal, as in the partial index.
    const sinks = await this.database.$queryRaw<Sink[]>`
      SELECT id, kind, data_position AS position,
             CASE WHEN ${ALL_AUDIT_EVENT}::text = ANY (events) THEN NULL ELSE organization_id END AS chain, EXISTS (
        SELECT FROM webhook_deliveries d
        WHERE d.webhook_id = w.id AND d.event = ${AUDIT_EVENT}::text AND d.next_attempt_at IS NOT NULL) AS is_pending
      FROM webhooks w
      WHERE 'audit_log.recorded' = ANY (events) AND paused_reason IS NULL AND ${NOT_DELETED}`
    const found = []
    for (const sink of sinks) if (!this.isStopping) found.push(await this.queue(sink))
    const since = found.map((one) => one.since).filter((at) => at !== null)
    this.waiting = {
      entries: found.reduce((sum, { entries }) => sum + entries, 0),
      since: since.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
    }
  }

  /** Queues the next rows of a sink, and returns what waits for it. */
  private async queue({ id, kind, chain, position, is_pending }: Sink): Promise<Backlog> {
    const read = await this.read(chain, position, is_pending ? 1 : MAX_SINK_ROWS)
    const [first, last] = [read.data[0], read.data.at(-1)]
    // A row that is missing stops this sink, and no other: nothing may overtake it. Its age raises the alert. Positions of all
    // chains together have gaps, where a transaction was rolled back.
    const isNext = chain === null || read.positions[0] === Number(position) + 1
    // Few large objects instead of many small ones.
    const isEarly =
      kind === 's3' && first && Date.parse(first.at) > this.clock.nowMs() - this.settings.S3_OBJECT_AGE_MS
    if (first && last && isNext && !is_pending && !isEarly)
      await this.batches.queue({
        ...{ webhookId: id, position, event: AUDIT_EVENT, eventId: first.id },
        end: { position: BigInt(read.positions.at(-1) ?? 0), at: new Date(last.at) },
      })
    return backlogOf(position, read)
  }

  private read(organization_id: string | null, position: bigint, limit: number): Promise<Rows> {
    return this.client.call(readAuditEntries, { organization_id, after: Number(position), limit })
  }
}

/** Returns the chain that a sink receives; null: all. */
function chainOf({ organizationId, events }: Of): string | null {
  return events.includes(ALL_AUDIT_EVENT) ? null : organizationId
}

function backlogOf(position: bigint, { data: [first], length }: Rows): Backlog {
  return { entries: Math.max(0, length - Number(position)), since: first ? new Date(first.at) : null }
}
