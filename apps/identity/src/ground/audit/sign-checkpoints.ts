import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import type { Backlog } from '@bearing/service/observe/measure-queues'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'
import { Prisma } from '../../generated/prisma/client.js'
import { Database } from '../database.js'
import { QueueMetrics } from '../queue-metrics.js'
import { CheckpointKeys } from './checkpoint-keys.js'

/** Looks for due chains within the interval of checkpoints. */
const LOOKS = 6
/** Chains of one statement. */
const BATCH = 500

interface Head {
  readonly chain: string
  readonly size: bigint
  readonly hash: Uint8Array
}

/** Chains whose head moved, each with its last checkpoint. */
const MOVED = Prisma.sql`
  audit_chains c LEFT JOIN LATERAL (
    SELECT size, hash, at FROM audit_checkpoints k WHERE k.chain = c.id ORDER BY size DESC LIMIT 1
  ) last ON true
  WHERE c.length > 0 AND (last.size, last.hash) IS DISTINCT FROM (c.length, c.head_hash)`

/**
 * Signs the head of each chain that moved, once a minute and at shutdown. Any number of processes may run it: a chain whose last
 * checkpoint is younger is not due. A chain that no longer has the row of its last checkpoint is not signed; it waits, and raises the alert of queues.
 */
@Injectable()
export class SignCheckpoints extends BackgroundJob {
  constructor(
    private readonly database: Database,
    private readonly keys: CheckpointKeys,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: QueueMetrics,
  ) {
    super({
      intervalMs: (settings.CHECKPOINT_INTERVAL_S * 1_000) / LOOKS,
      run: () => this.signOlder(settings.CHECKPOINT_INTERVAL_S * 1_000),
      logger,
      failure: 'The audit log cannot be signed. Retrying.',
    })
    metrics.add('audit-checkpoints', () => this.backlog())
  }

  override async stop(): Promise<void> {
    await super.stop()
    await this.signOlder(0).catch((error: unknown) => {
      this.logger.warn({ error }, 'The audit log could not be signed at shutdown.')
    })
  }

  /** Signs chains whose last checkpoint is at least this old. */
  private async signOlder(ageMs: number): Promise<void> {
    for (;;) {
      const heads = await this.due(new Date(this.clock.nowMs() - ageMs))
      const at = this.clock.now()
      await this.database.auditCheckpoint.createMany({
        data: heads.map(({ chain, size, hash }) => ({
          ...{ chain, size, hash: Buffer.from(hash), at },
          note: this.keys.sign(chain, Number(size), Buffer.from(hash).toString('hex')),
        })),
        skipDuplicates: true,
      })
      if (heads.length < BATCH) return
    }
  }

  private due(before: Date): Promise<Head[]> {
    return this.database.$queryRaw<Head[]>`
      SELECT c.id AS chain, c.length AS size, c.head_hash AS hash FROM ${MOVED}
        AND (last.at IS NULL OR last.at <= ${before}::timestamptz AND c.length > last.size AND EXISTS (
          SELECT FROM audit_log l WHERE l.chain = c.id AND l.sequence = last.size AND l.hash = last.hash))
      LIMIT ${BATCH}`
  }

  /** Measures chains without a checkpoint of their end, from the first row that none covers. */
  private async backlog(): Promise<Backlog> {
    const [row] = await this.database.$queryRaw<Backlog[]>`
      SELECT count(*)::integer AS entries, min(coalesce((
        SELECT l.at FROM audit_log l WHERE l.chain = c.id AND l.sequence = coalesce(last.size, 0) + 1), last.at)) AS since
      FROM ${MOVED}`
    return row ?? { entries: 0, since: null }
  }
}
