import { setTimeout as sleep } from 'node:timers/promises'
import { accessPointsChanged } from '@bearing/contracts/location/access-point-import'
import type { EventData } from '@bearing/contracts/operation'
import { STATEMENT_MS } from '@bearing/service/postgres-settings'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { OutboxRelay, type OutboxEvent } from '@bearing/service/outbox-relay'
import { Injectable } from '@nestjs/common'
import { Database, type Transaction } from '../ground/database.js'
import { organizationOf } from '../ground/layer.js'
import { LEARNING } from '../ground/locks.js'
import { SweepWorker } from './sweep-worker.js'

/** What was taken out of a layer. */
export interface Removed {
  readonly access_points: number
  readonly observations: number
}

/**
 * How often, and after how many milliseconds again, it is tried to keep the layer from being learned anew: pages of a sweep last no
 * longer, learning anew does.
 */
const TRIES = { most: 15, pauseMs: 100 } as const

/**
 * @param isMine whether what was learned may be removed: else the layer is being learned anew, and the sweep removes it as soon as
 * that is done
 */
export type Remove = (transaction: Transaction, now: Date, isMine: boolean) => Promise<Removed>

/** Takes something out of a layer: under its lock, so that no import or lesson under way brings it back. */
@Injectable()
export class Forgetting {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly relay: OutboxRelay,
    private readonly worker: SweepWorker,
  ) {}

  /**
   * @param remove removes it, and says what that was; in the transaction that everything else belongs to
   * @param timeoutMs how long that may take, in milliseconds
   * @returns how many access points are gone, once every process has been told to look anew
   */
  async from(layer: string, remove: Remove, timeoutMs = STATEMENT_MS): Promise<number> {
    const now = this.clock.now()
    const { removed, event } = await this.database.transaction(
      async (transaction) => {
        await transaction.$executeRaw`SELECT set_config('statement_timeout', ${String(timeoutMs)}, true)`
        // Before anything else is locked: who learns anew holds it while waiting for others.
        const isMine = await share(transaction, layer)
        await transaction.$executeRaw`INSERT INTO layers VALUES (${layer}::uuid, 0, 0, ${now}) ON CONFLICT DO NOTHING`
        await transaction.$queryRaw`SELECT FROM layers WHERE organization_id = ${layer}::uuid FOR UPDATE`
        const removed = await remove(transaction, now, isMine)
        await transaction.$executeRaw`
          UPDATE layers SET access_points = access_points - ${removed.access_points}::bigint,
            observations = observations - ${removed.observations}::bigint, updated_at = ${now}
          WHERE organization_id = ${layer}::uuid`
        return { removed, event: await this.tell(transaction, layer, now) }
      },
      { timeout: timeoutMs },
    )
    await this.relay.published([event])
    this.worker.kick()
    return removed.access_points
  }

  private async tell(transaction: Transaction, layer: string, now: Date): Promise<OutboxEvent> {
    const id = this.randomness.newId()
    const { subject } = accessPointsChanged
    const data: EventData<typeof accessPointsChanged> = { id, organization_id: organizationOf(layer) }
    await transaction.outboxEvent.create({ data: { id, subject, data, createdAt: now } })
    return { id, subject, data }
  }
}

/** Keeps a layer from being learned anew until the transaction ends, as who learns does: then rows are locked in one order. */
async function share(transaction: Transaction, layer: string): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const [lock] = await transaction.$queryRaw<{ taken: boolean }[]>`
      SELECT pg_try_advisory_xact_lock_shared(${LEARNING}::int, hashtext(${layer}::text)) AS taken`
    if (lock?.taken) return true
    if (tries === TRIES.most) return false
    await sleep(TRIES.pauseMs)
  }
}
