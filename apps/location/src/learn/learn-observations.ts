import {
  accessPointsLearned,
  MAX_LEARNED,
  referenceScansChanged,
} from '@bearing/contracts/location/access-points/learned'
import { Connection } from '@bearing/nats/connection'
import { broadcastEvent } from '@bearing/nats/events'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { Pools } from '../ground/database.js'
import { learn, type Learned } from './learn-transaction.js'
import type { Submission } from './submission.js'

/** Learns from submissions, and notifies caches of access points that are much better known now. */
@Injectable()
export class LearnObservations {
  constructor(
    private readonly pools: Pools,
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns those to retry later
   * @throws the driver's error; then nothing was learned
   */
  async execute(submissions: readonly Submission[]): Promise<readonly Submission[]> {
    const client = await this.pools.learning.connect()
    let learned: Learned
    try {
      learned = await learn(client, submissions, this.clock.now())
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
    this.notify(learned)
    return learned.postponed
  }

  private notify({ grown, projects }: Learned): void {
    if (!this.connection.isUp) return
    for (const [layer, bssids] of grown)
      for (let start = 0; start < bssids.length; start += MAX_LEARNED)
        broadcastEvent(this.connection, accessPointsLearned, {
          organization_id: layer,
          bssids: bssids.slice(start, start + MAX_LEARNED),
        })
    for (const [project_id, organization_id] of projects)
      broadcastEvent(this.connection, referenceScansChanged, { organization_id, project_id })
  }
}
