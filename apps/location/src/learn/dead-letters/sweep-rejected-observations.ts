import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import type pg from 'pg'
import { viewSettings } from '../../sharing/settings-view.js'
import { ownerOf, receivedAtOf, type RejectedStream } from './dead-letters.js'

/** How often it is looked for what is too old, in milliseconds. */
const SWEEP_MS = 600_000
const DAY_MS = 24 * 3_600_000

const SETTINGS =
  'SELECT organization_id, retention_days FROM location_settings WHERE organization_id = ANY ($1::uuid[])'

/**
 * Deletes rejected observations that are older than their organization keeps what it contributes: what could not be learned from
 * is kept no longer than what could. Several processes do no harm to each other.
 */
export class SweepRejectedObservations extends BackgroundJob {
  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly rejected: Pick<RejectedStream, 'subjects' | 'from' | 'delete'>,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    super({
      intervalMs: SWEEP_MS,
      run: () => this.sweep(),
      logger,
      failure: 'old rejected observations could not be deleted; trying again later',
    })
  }

  /** One sweep: one question where nothing was rejected. */
  async sweep(): Promise<void> {
    const subjects = await this.rejected.subjects()
    if (subjects.length === 0) return
    const owners = subjects.map((subject) => ownerOf({ subject }).organization_id)
    const { rows } = await this.pool.query<{ organization_id: string; retention_days: number }>(SETTINGS, [
      [...new Set(owners.filter((owner) => owner !== null))],
    ])
    const days = new Map(rows.map((row) => [row.organization_id, row.retention_days]))
    const usual = viewSettings(null).observation_retention_days
    for (const [index, subject] of subjects.entries())
      await this.sweepSubject(subject, this.clock.nowMs() - (days.get(owners[index] ?? '') ?? usual) * DAY_MS)
  }

  /** They lie about in the order in which they were received. */
  private async sweepSubject(subject: string, untilMs: number): Promise<void> {
    for (let next = 1; !this.isStopping;) {
      const message = await this.rejected.from(next, subject)
      const receivedAt = message && receivedAtOf(message)
      if (!message || (receivedAt && receivedAt.getTime() >= untilMs)) return
      if (receivedAt) await this.rejected.delete(message.number)
      next = message.number + 1
    }
  }
}
