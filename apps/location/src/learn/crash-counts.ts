import type { QueuedMessage } from '@bearing/nats/work-queue'
import type { Clock } from '@bearing/service/clock'
import type pg from 'pg'

type Message = Pick<QueuedMessage, 'streamStartedAt' | 'sequence'>

/**
 * Counts how often processes have ended over a message. How often it was handed out does not tell that: while Postgres is
 * away it is handed out again and again. What is counted here was begun with while Postgres was there, and did not come to
 * an end of any kind.
 */
export class Suspects {
  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
  ) {}

  /**
   * Notes that a message is begun with.
   *
   * @returns how often that was so without an end, this time included
   * @throws the driver's error where Postgres is not there
   */
  async begin(message: Message): Promise<number> {
    const { rows } = await this.pool.query<{ attempts: number }>(
      `INSERT INTO suspect_messages AS known (id, attempts, begun_at) VALUES ($1, 1, $2)
       ON CONFLICT (id) DO UPDATE SET attempts = known.attempts + 1, begun_at = excluded.begun_at RETURNING attempts`,
      [idOf(message), this.clock.now()],
    )
    return rows[0]?.attempts ?? 1
  }

  /** Notes that it came to an end, be it a failure. */
  async end(message: Message): Promise<void> {
    await this.pool.query('DELETE FROM suspect_messages WHERE id = $1', [idOf(message)])
  }
}

function idOf({ streamStartedAt, sequence }: Message): string {
  return `${streamStartedAt.toISOString()} ${String(sequence)}`
}
