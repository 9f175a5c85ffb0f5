import { Connection } from '@bearing/nats/connection'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { START } from '../../feed/data-reader.js'
import { DeviceDataFeed } from '../../feed/device-data-feed.js'
import { Database } from '../../ground/database.js'

/** Longer than the stream of device data keeps anything, in milliseconds. */
const KEPT_MS = 25 * 3_600_000
const PAGE = 1_000

/** A deleted device, and the last message of the stream that is not of a new one. */
interface Deleted {
  readonly organization_id: string
  readonly project_id: string
  readonly device_serial: string
  readonly feed_end: bigint
}

/**
 * Deletes the data of erased organizations, projects and devices from the stream of device data again, after each start and whenever
 * NATS is back: a server that is killed within two minutes has the first messages of a stream again that were purged by their subject
 * (seen with 2.10.27).
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
    const since = new Date(this.clock.nowMs() - KEPT_MS)
    const erased = await this.database.deletion.findMany({
      where: { state: 'erased', erasedAt: { gt: since } },
      select: { organizationId: true, projectId: true },
    })
    for (const { organizationId: organization_id, projectId } of erased)
      await this.feed.erase({ organization_id, ...(projectId !== null && { project_id: projectId }) })
    // A newer stream has nothing of them.
    await this.eraseDevices(new Date(Math.max(since.getTime(), (await this.feed.startedAt()).getTime())))
  }

  private async eraseDevices(since: Date): Promise<void> {
    for (let last = { project_id: START.id, device_serial: '' }; ;) {
      const page = await this.deletedDevices(since, last)
      for (const { feed_end, ...scope } of page) await this.feed.erase(scope, Number(feed_end))
      const next = page.at(-1)
      if (!next) return
      last = next
    }
  }

  private deletedDevices(
    since: Date,
    { project_id, device_serial }: Pick<Deleted, 'project_id' | 'device_serial'>,
  ): Promise<Deleted[]> {
    return this.database.$queryRaw<Deleted[]>`
      SELECT p.organization_id, p.id AS project_id, d.serial AS device_serial, d.feed_end
      FROM device_deletions d JOIN projects p ON p.id = d.project_id
      WHERE (d.project_id, d.serial) > (${project_id}::uuid, ${device_serial}) AND d.deleted_at > ${since}::timestamptz
        AND d.feed_end IS NOT NULL
      ORDER BY d.project_id, d.serial LIMIT ${PAGE}::integer`
  }
}
