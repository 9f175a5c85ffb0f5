import { DATA_EVENT } from '@bearing/contracts/management/webhook'
import { AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { Database } from '../ground/database.js'

/** Events whose deliveries follow each other, from a position to a position. */
export const BATCH_EVENTS: ReadonlySet<string> = new Set([DATA_EVENT, AUDIT_EVENT])

/** End of a delivery: a position, and the time at which its item was received. */
export interface DataEnd {
  readonly position: bigint
  readonly at: Date
}

/** A delivery from a position to another. */
interface Batch {
  readonly webhookId: string
  /** The position of the webhook: what the batch begins after. */
  readonly position: bigint
  readonly event: string
  /** The first item. */
  readonly eventId: string
  readonly end: DataEnd
}

/** Queues deliveries that have the position that they end at in place of a body. */
@Injectable()
export class QueueBatch {
  /** Called when something was queued. */
  onQueued: () => void = () => undefined

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Queues a batch, unless a process that has read the same position did. */
  async queue({ webhookId, position, event, eventId, end }: Batch): Promise<void> {
    const now = this.clock.now()
    const body = `${String(end.position)} ${String(end.at.getTime())}`
    await this.database.$executeRaw`
      INSERT INTO webhook_deliveries (id, webhook_id, project_id, event_id, event, body, state, next_attempt_at, created_at)
      SELECT ${this.randomness.newId()}::uuid, id, project_id, ${eventId}::uuid, ${event}::text, ${body}::text, 'pending',
             ${now}::timestamptz, ${now}::timestamptz
      FROM webhooks w
      WHERE id = ${webhookId}::uuid AND data_position = ${position}::bigint AND ${event}::text = ANY (events)
      FOR NO KEY UPDATE
      ON CONFLICT DO NOTHING`
    this.onQueued()
  }
}

/** Returns where a delivery ends. */
export function readEnd(body: string): DataEnd {
  const [position = '', atMs] = body.split(' ')
  return { position: BigInt(position), at: new Date(Number(atMs)) }
}
