import { DAY_MS } from '@bearing/contracts/durations'
import { BackgroundJob } from '@bearing/service/background-job'
import { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { LOGGER } from '@bearing/service/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Pools } from '../../ground/database.js'
import { viewSettings } from '../settings/settings-view.js'
import { DeadLetters, ownerOf, receivedAtOf } from './dead-letters.js'

const SWEEP_MS = 600_000

const READ_RETENTION =
  'SELECT organization_id, retention_days FROM location_settings WHERE organization_id = ANY ($1::uuid[])'

/** Deletes dead letters that are older than the retention of their organization. Several processes may do that concurrently. */
@Injectable()
export class SweepDeadLetters extends BackgroundJob {
  constructor(
    private readonly pools: Pools,
    private readonly deadLetters: DeadLetters,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: SWEEP_MS,
      run: () => this.sweep(),
      logger,
      failure: 'Expired dead letters of observations could not be deleted. Retrying in ten minutes.',
    })
  }

  async sweep(): Promise<void> {
    const subjects = await this.deadLetters.subjects()
    if (subjects.length === 0) return
    const owners = subjects.map((subject) => ownerOf({ subject }).organization_id)
    const { rows } = await this.pools.learning.query<{ organization_id: string; retention_days: number }>(
      READ_RETENTION,
      [[...new Set(owners.filter((owner) => owner !== null))]],
    )
    const days = new Map(rows.map((row) => [row.organization_id, row.retention_days]))
    const usual = viewSettings(null).observation_retention_days
    for (const [index, subject] of subjects.entries())
      await this.sweepSubject(subject, this.clock.nowMs() - (days.get(owners[index] ?? '') ?? usual) * DAY_MS)
  }

  /** Dead letters of a subject are in the order in which they were received. */
  private async sweepSubject(subject: string, untilMs: number): Promise<void> {
    for (let next = 1; !this.isStopping;) {
      const message = await this.deadLetters.from(next, subject)
      const receivedAt = message && receivedAtOf(message)
      if (!message || (receivedAt && receivedAt.getTime() >= untilMs)) return
      if (receivedAt) await this.deadLetters.delete(message.number)
      next = message.number + 1
    }
  }
}
