import { DAY_MS } from '@bearing/contracts/durations'
import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Database } from '../../ground/database.js'
import { deadLetterReceivedAt, type DeadLetterStream } from './dead-letter-stream.js'

/**
 * Deletes dead letters whose retention period is over: the project's policy applies to them as to stored chunks. Any number
 * of processes may run it.
 */
export class SweepDeadLetters extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly letters: Pick<DeadLetterStream, 'ofProject' | 'delete'>,
    private readonly clock: Clock,
    logger: Logger,
    intervalMs: number,
  ) {
    super({
      intervalMs,
      run: () => this.sweep(),
      logger,
      failure: 'expired dead letters cannot be deleted; retrying',
    })
  }

  /** Deletes all expired dead letters. */
  async sweep(): Promise<void> {
    const policies = await this.database.dataPolicy.findMany({
      where: { retentionDays: { not: null } },
      select: { projectId: true, retentionDays: true },
    })
    for (const { projectId, retentionDays } of policies)
      await this.sweepProject(projectId, this.clock.nowMs() - (retentionDays ?? 0) * DAY_MS)
  }

  /** Dead letters are almost in the order in which they were received. */
  private async sweepProject(projectId: string, untilMs: number): Promise<void> {
    for (let next = 1; !this.isStopping;) {
      const letter = await this.letters.ofProject(projectId, next)
      const receivedAt = letter && deadLetterReceivedAt(letter)
      if (!letter || (receivedAt && receivedAt.getTime() >= untilMs)) return
      if (receivedAt) await this.letters.delete(letter.number)
      next = letter.number + 1
    }
  }
}
