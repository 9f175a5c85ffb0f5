import type { Logger } from '@bearing/service/observe/logger'
import { BackgroundJob } from '@bearing/service/work/background-job'
import { deleteBatch } from '@bearing/service/store/delete-batch'
import { Database } from '../../../ground/database.js'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { SWEEP_INTERVAL_MS } from '../../../ground/sweep-interval.js'

/** Values that one statement deletes. */
const BATCH = 5_000

export const DELETE_VALUES = deleteBatch({
  table: 'device_attributes',
  key: ['device_id', 'number'],
  where: 'project_id = $1::uuid AND number = $2::integer',
  limit: BATCH,
})

/** Deletes the values of deleted attributes, and then the attributes. Any number of processes may run it. */
@Injectable()
export class SweepAttributes extends BackgroundJob {
  constructor(
    private readonly database: Database,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: SWEEP_INTERVAL_MS,
      run: () => this.sweep(),
      logger,
      failure: 'values of deleted attributes cannot be deleted; retrying',
    })
  }

  async sweep(): Promise<void> {
    const rows = await this.database.declaredAttribute.findMany({ where: { deletedAt: { not: null } } })
    for (const { projectId, number } of rows) {
      await this.inBatches(BATCH, () => this.database.$executeRawUnsafe(DELETE_VALUES, projectId, number))
      if (this.isStopping) return
      // Last, and only without values: the number may be used again afterwards.
      await this.database.$executeRaw`
        DELETE FROM declared_attributes WHERE project_id = ${projectId}::uuid AND number = ${number}
          AND NOT EXISTS (
            SELECT FROM device_attributes WHERE project_id = ${projectId}::uuid AND number = ${number})`
    }
  }
}
