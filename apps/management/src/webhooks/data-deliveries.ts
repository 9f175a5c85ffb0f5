import { DATA_KINDS, type DataItem } from '@bearing/contracts/management/data/data-item'
import { DATA_EVENT } from '@bearing/contracts/management/webhook'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../config.js'
import { DataReader, LATE_MS, placeAt, readPlace, type DataQuery } from '../feed/data-reader.js'
import { Database } from '../ground/database.js'
import type { DueDelivery } from './due-deliveries.js'
import { hourOf } from '../ground/project-hours.js'
import { QueueBatch, readEnd, type DataEnd } from './queue-batch.js'

const INTERVAL_MS = 500

/** Content of one delivery to a kind: that of a webhook stays below 512 KiB. */
const READS: Readonly<Record<string, Omit<DataQuery, 'projectId'>>> = {
  webhook: { kinds: DATA_KINDS, payloads: 'inline', most: { items: 500, bytes: 131_072 } },
  ndjson: { kinds: DATA_KINDS, payloads: 'inline', most: { items: 5_000, bytes: 1_048_576 } },
  s3: { kinds: DATA_KINDS, payloads: 'all', most: { items: 5_000, bytes: 1_048_576 } },
  device_api: { kinds: DATA_KINDS, payloads: 'all', most: { items: 500, bytes: 1_048_576 } },
}

/** Content of a delivery. */
export interface DataOfDelivery {
  readonly organization_id: string
  readonly project_id: string
  /** The position before its first item. */
  readonly after: bigint
  readonly items: readonly DataItem[]
  readonly end: DataEnd
}

interface Waiting {
  readonly id: string
  readonly kind: string
  readonly project_id: string
  readonly data_position: bigint
  readonly data_at: Date
}

/**
 * Queues what devices have sent for the webhooks that want it: one delivery at a time of each, so that items arrive in their order.
 * A delivery has the position that it ends at, and its body is read when it is sent: what was erased meanwhile is not in it. Any
 * number of processes may run it.
 */
@Injectable()
export class DataDeliveries extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly data: DataReader,
    private readonly clock: Clock,
    private readonly batches: QueueBatch,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.queueAll(),
      logger,
      failure: 'data of devices cannot be queued for webhooks; retrying',
    })
  }

  /** Returns what is in a delivery, as it is now. */
  async partOf({ id, kind, body }: Pick<DueDelivery, 'id' | 'kind' | 'body'>): Promise<DataOfDelivery> {
    const webhook = await this.database.webhook.findUniqueOrThrow({
      where: { id },
      select: { organizationId: true, projectId: true, dataPosition: true, dataAt: true },
    })
    const { organizationId: organization_id, projectId: project_id, dataPosition, dataAt } = webhook
    const end = readEnd(body)
    const { items } = await this.data.read(
      queryOf(project_id, kind),
      placeAt(dataPosition, dataAt),
      end.position,
    )
    return { organization_id, project_id, after: dataPosition, items, end }
  }

  private async queueAll(): Promise<void> {
    // Few large objects instead of many small ones.
    const old = new Date(this.clock.nowMs() - this.settings.S3_OBJECT_AGE_MS)
    // The event is a literal, as in the partial index.
    const waiting = await this.database.$queryRaw<Waiting[]>`
      SELECT id, kind, project_id, data_position, data_at FROM webhooks w
      WHERE 'device.data_stored' = ANY (events) AND paused_reason IS NULL
        AND NOT EXISTS (
          SELECT FROM webhook_deliveries d
          WHERE d.webhook_id = w.id AND d.event = ${DATA_EVENT}::text AND d.next_attempt_at IS NOT NULL)
        AND (
          EXISTS (
            SELECT FROM device_chunks c
            WHERE c.project_id = w.project_id AND c.position > w.data_position
              AND c.received_at >= w.data_at - ${LATE_MS} * interval '1 ms'
              AND (w.kind <> 's3' OR c.received_at <= ${old}::timestamptz))
          OR EXISTS (
            SELECT FROM files f WHERE f.project_id = w.project_id AND f.position > w.data_position
              AND (w.kind <> 's3' OR f.created_at <= ${old}::timestamptz)))`
    for (const webhook of waiting) if (!this.isStopping) await this.queue(webhook)
  }

  private async queue({
    id,
    kind,
    project_id,
    data_position: position,
    data_at: at,
  }: Waiting): Promise<void> {
    const query = { ...queryOf(project_id, kind), isPreview: true }
    const { items, next: last } = await this.data.read(query, placeAt(position, at))
    const [first] = items
    if (!first) return
    // An object has items of one hour.
    const other = kind === 's3' ? items.findIndex((item) => hour(item) !== hour(first)) : -1
    const next = other === -1 ? last : readPlace(items[other - 1]?.cursor ?? '')
    await this.batches.queue({
      ...{ webhookId: id, position, event: DATA_EVENT, eventId: first.id },
      end: { position: next.position, at: new Date(next.atMs) },
    })
  }
}

function queryOf(projectId: string, kind: string): DataQuery {
  const read = READS[kind]
  if (!read) throw new Error(`the kind ${kind} of a webhook is of a later version`)
  return { projectId, ...read }
}

function hour({ at }: DataItem): string {
  return hourOf(new Date(at))
}
