import type { QueuedMessage } from '@bearing/nats/work-queue'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { Pools } from '../ground/database.js'
import { readRows } from '../ground/read-rows.js'

type Message = Pick<QueuedMessage, 'streamStartedAt' | 'sequence'>

/**
 * Counts how many processes died while they handled a message. The number of deliveries does not say that: while Postgres is
 * away, messages are redelivered again and again.
 */
@Injectable()
export class CrashCounts {
  constructor(
    private readonly pools: Pools,
    private readonly clock: Clock,
  ) {}

  /** Records the start of handling. @returns how often that happened without an end, including this time */
  async start(message: Message): Promise<number> {
    const text = `INSERT INTO suspect_messages AS known (id, attempts, begun_at) VALUES ($1, 1, $2)
      ON CONFLICT (id) DO UPDATE SET attempts = known.attempts + 1, begun_at = excluded.begun_at RETURNING attempts`
    const statement = { text, columns: { attempts: 'int4' } } as const
    const [row] = await readRows(this.pools.learning, statement, [idOf(message), this.clock.now()])
    return row?.attempts ?? 1
  }

  /** Records the end, also of a failure. */
  async end(message: Message): Promise<void> {
    await this.pools.learning.query('DELETE FROM suspect_messages WHERE id = $1', [idOf(message)])
  }
}

function idOf({ streamStartedAt, sequence }: Message): string {
  return `${streamStartedAt.toISOString()} ${String(sequence)}`
}
