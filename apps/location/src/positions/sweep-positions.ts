import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import { deleteBatch } from '@bearing/service/store/delete-batch'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable, Optional } from '@nestjs/common'
import { Pools } from '../ground/database.js'
import { readRows } from '../ground/read-rows.js'

const SWEEP_MS = 600_000
/** Positions that one statement deletes, and statements of one sweep; the next sweep deletes the rest. */
const SIZES = { atOnce: 5_000, statements: 200 }

const POLICIES = {
  text: 'SELECT project_id, organization_id, retention_days FROM position_policies ORDER BY project_id',
  columns: { project_id: 'uuid', organization_id: 'uuid', retention_days: 'int4' },
} as const

export const DELETE_POSITIONS = deleteBatch({
  table: 'device_positions',
  key: ['project_id', 'device_serial', 'at', 'id'],
  where: 'project_id = $1 AND organization_id = $2 AND at < $3::timestamptz - make_interval(days => $4)',
  orderBy: 'at',
  limit: '$5',
})

/** Deletes positions of devices that are older than the retention of their project. */
@Injectable()
export class SweepPositions extends BackgroundJob {
  constructor(
    private readonly pools: Pools,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
    @Optional() private readonly sizes = SIZES,
  ) {
    super({
      intervalMs: SWEEP_MS,
      run: async () => {
        const positions = await this.sweep()
        if (positions > 0) logger.info({ positions }, 'expired positions were deleted')
      },
      logger,
      failure: 'Expired positions could not be deleted. Retrying in ten minutes.',
    })
  }

  /** One sweep, in rounds, so that no project waits for a large one. @returns how many positions were deleted */
  async sweep(): Promise<number> {
    const now = this.clock.now()
    let left = await readRows(this.pools.learning, POLICIES)
    let deleted = 0
    for (let statements = 0; left.length > 0 && statements < this.sizes.statements;) {
      const more: typeof left = []
      for (const policy of left) {
        if (this.isStopping) return deleted
        const { project_id, organization_id, retention_days } = policy
        const values = [project_id, organization_id, now, retention_days, this.sizes.atOnce]
        const some = (await this.pools.learning.query(DELETE_POSITIONS, values)).rowCount ?? 0
        deleted += some
        statements += some > 0 ? 1 : 0
        if (some === this.sizes.atOnce) more.push(policy)
      }
      left = more
    }
    return deleted
  }
}
