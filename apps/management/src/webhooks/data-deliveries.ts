import { DATA_KINDS } from '@bearing/contracts/management/data/data-item'
import { DATA_EVENT } from '@bearing/contracts/management/webhook'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { DataReader, LATE_MS, placeAt, type DataQuery } from '../feed/data-reader.js'
import { Database } from '../ground/database.js'
import type { DueDelivery } from './due-deliveries.js'
import { deliveryBody } from './enqueue-deliveries.js'

const INTERVAL_MS = 500
/** What one delivery has at most: its body stays below 512 KiB. */
const MOST = { items: 500, bytes: 131_072 }

interface Waiting {
  readonly id: string
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
    private readonly randomness: Randomness,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.queueAll(),
      logger,
      failure: 'data of devices cannot be queued for webhooks; retrying',
    })
  }

  /** Returns the body of a delivery, as it is now. */
  async bodyOf({ id, body }: Pick<DueDelivery, 'id' | 'body'>): Promise<string> {
    const webhook = await this.database.webhook.findUniqueOrThrow({
      where: { id },
      select: { organizationId: true, projectId: true, dataPosition: true, dataAt: true },
    })
    const { organizationId: organization_id, projectId: project_id, dataPosition, dataAt } = webhook
    const { items } = await this.data.read(
      queryOf(project_id),
      placeAt(dataPosition, dataAt),
      readEnd(body).position,
    )
    return deliveryBody(DATA_EVENT, this.clock.now(), { organization_id, project_id, items })
  }

  private async queueAll(): Promise<void> {
    // The event is a literal, as in the partial index.
    const waiting = await this.database.$queryRaw<Waiting[]>`
      SELECT id, project_id, data_position, data_at FROM webhooks w
      WHERE 'device.data_stored' = ANY (events) AND paused_at IS NULL
        AND NOT EXISTS (
          SELECT FROM webhook_deliveries d
          WHERE d.webhook_id = w.id AND d.event = ${DATA_EVENT}::text AND d.next_attempt_at IS NOT NULL)
        AND (
          EXISTS (
            SELECT FROM device_chunks c
            WHERE c.project_id = w.project_id AND c.position > w.data_position
              AND c.received_at >= w.data_at - ${LATE_MS} * interval '1 ms')
          OR EXISTS (SELECT FROM files f WHERE f.project_id = w.project_id AND f.position > w.data_position))`
    for (const webhook of waiting) if (!this.isStopping) await this.queue(webhook)
  }

  private async queue({ id, project_id, data_position: position, data_at: at }: Waiting): Promise<void> {
    const { items, next } = await this.data.read(queryOf(project_id), placeAt(position, at))
    const [first] = items
    if (!first) return
    const now = this.clock.now()
    const delivery = {
      id: this.randomness.newId(),
      event: DATA_EVENT,
      body: `${String(next.position)} ${String(next.atMs)}`,
    }
    // A process that has read the same position creates nothing: the event is the first item.
    await this.database.$executeRaw`
      INSERT INTO webhook_deliveries (id, webhook_id, project_id, event_id, event, body, state, next_attempt_at, created_at)
      SELECT ${delivery.id}::uuid, id, project_id, ${first.id}::uuid, ${delivery.event}::text, ${delivery.body}::text, 'pending',
             ${now}::timestamptz, ${now}::timestamptz
      FROM webhooks w
      WHERE id = ${id}::uuid AND data_position = ${position}::bigint AND 'device.data_stored' = ANY (events)
      FOR NO KEY UPDATE
      ON CONFLICT DO NOTHING`
  }
}

/** Returns where a delivery ends. */
export function readEnd(body: string): { readonly position: bigint; readonly at: Date } {
  const [position = '', atMs] = body.split(' ')
  return { position: BigInt(position), at: new Date(Number(atMs)) }
}

function queryOf(projectId: string): DataQuery {
  return { projectId, kinds: DATA_KINDS, payloads: 'inline', most: MOST }
}
