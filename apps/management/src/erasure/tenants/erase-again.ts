import { Connection } from '@bearing/nats/connection'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { DeviceDataFeed } from '../../feed/device-data-feed.js'
import { Database } from '../../ground/database.js'

/** Longer than the stream of device data keeps anything, in milliseconds. */
const KEPT_MS = 25 * 3_600_000

/**
 * Deletes the data of erased organizations and projects from the stream of device data again, after each start and whenever NATS is back:
 * a server that is killed within two minutes has the first messages of a stream again that were purged by their subject (seen with
 * 2.10.27).
 */
@Injectable()
export class EraseAgain implements OnApplicationBootstrap {
  private readonly failed: (error: unknown) => void

  constructor(
    private readonly connection: Connection,
    private readonly database: Database,
    private readonly feed: DeviceDataFeed,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failed = warnSeldom(logger, 'erased data could not be looked for in the stream of device data')
  }

  onApplicationBootstrap(): void {
    const run = () => void this.execute().catch(this.failed)
    this.connection.reconnected(run)
    run()
  }

  private async execute(): Promise<void> {
    const erased = await this.database.deletion.findMany({
      where: { state: 'erased', erasedAt: { gt: new Date(this.clock.nowMs() - KEPT_MS) } },
      select: { organizationId: true, projectId: true },
    })
    for (const { organizationId: organization_id, projectId } of erased)
      await this.feed.erase({ organization_id, ...(projectId !== null && { project_id: projectId }) })
  }
}
