import { accessPointsLearned, MAX_LEARNED, referenceScansChanged } from '@bearing/contracts/location/learned'
import type { Connection } from '@bearing/nats/connection'
import { tellEvent } from '@bearing/nats/events'
import type { Clock } from '@bearing/service/clock'
import type pg from 'pg'
import { organizationOf } from '../ground/layer.js'
import { learn, type Learned } from './learn-transaction.js'
import type { SharingPolicy } from '../sharing/sharing-policy.js'
import type { Submission } from './submission.js'

/** Learns from submissions, and notifies caches of stations that are much better known now. */
export class LearnObservations {
  constructor(
    private readonly pool: pg.Pool,
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly policy: SharingPolicy,
  ) {}

  /**
   * @returns those to retry later
   * @throws the driver's error; then nothing was learned
   */
  async execute(submissions: readonly Submission[]): Promise<readonly Submission[]> {
    const client = await this.pool.connect()
    let learned: Learned
    try {
      learned = await learn(client, submissions, this.clock.now(), this.policy)
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
        tellEvent(this.connection, accessPointsLearned, {
          organization_id: organizationOf(layer),
          bssids: bssids.slice(start, start + MAX_LEARNED),
        })
    for (const [project_id, organization_id] of projects)
      tellEvent(this.connection, referenceScansChanged, { organization_id, project_id })
  }
}
