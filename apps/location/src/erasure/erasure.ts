import { setTimeout as sleep } from 'node:timers/promises'
import { accessPointsChanged } from '@bearing/contracts/location/access-points/access-point-import'
import { STATEMENT_MS } from '@bearing/service/store/postgres-settings'
import { Clock } from '@bearing/service/ground/clock'
import { afterCommit, recordEvent } from '@bearing/service/store/transactions'
import { Injectable } from '@nestjs/common'
import { Database, type Transaction } from '../ground/database.js'
import { organizationOf } from '../ground/layer.js'
import { tryLayerSql } from '../ground/locks.js'
import type { Client } from './erased-rows.js'
import { SweepWorker } from './sweep-worker.js'

/** Numbers removed from the sums of a layer. */
export interface Removed {
  readonly access_points: number
  readonly observations: number
}

/** Attempts to lock a layer, with pauses in milliseconds. Pages of a sweep are over by then; a rebuild is not. */
const TRIES = { most: 15, pauseMs: 100 } as const

/**
 * Removes something in the transaction of an erasure.
 *
 * @param isMine whether learned rows may be removed; otherwise the layer is being rebuilt, and the sweep removes them afterwards
 */
export type Remove = (transaction: Transaction, now: Date, isMine: boolean) => Promise<Removed>

/** Erases from layers, under their locks, so that nothing under way brings it back. */
@Injectable()
export class Erasure {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly worker: SweepWorker,
  ) {}

  /**
   * @param remove adds tombstones, removes rows and records the audit event
   * @param timeoutMs how long that may take, in milliseconds
   * @returns how many access points are gone, after all caches were notified
   */
  async erase(layer: string, remove: Remove, timeoutMs = STATEMENT_MS): Promise<number> {
    const now = this.clock.now()
    return this.database.transaction(
      async (transaction) => {
        await transaction.$executeRaw`SELECT set_config('statement_timeout', ${String(timeoutMs)}, true)`
        const isMine = await tryLayer(transaction, layer)
        await transaction.$executeRaw`INSERT INTO layers VALUES (${layer}::uuid, 0, 0, ${now}) ON CONFLICT DO NOTHING`
        await transaction.$queryRaw`SELECT FROM layers WHERE organization_id = ${layer}::uuid FOR UPDATE`
        const removed = await remove(transaction, now, isMine)
        await transaction.$executeRaw`
          UPDATE layers SET access_points = access_points - ${removed.access_points}::bigint,
            observations = observations - ${removed.observations}::bigint, updated_at = ${now}
          WHERE organization_id = ${layer}::uuid`
        recordEvent(transaction, accessPointsChanged, { organization_id: organizationOf(layer) })
        afterCommit(transaction, () => {
          this.worker.kick()
        })
        return removed.access_points
      },
      { timeout: timeoutMs },
    )
  }
}

/** Keeps a layer from being rebuilt until the transaction ends. @returns whether that succeeded */
async function tryLayer(transaction: Transaction, layer: string): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const [lock] = await transaction.$queryRawUnsafe<{ taken: boolean }[]>(
      `SELECT ${tryLayerSql('$1::text')} AS taken`,
      layer,
    )
    if (lock?.taken) return true
    if (tries === TRIES.most) return false
    await sleep(TRIES.pauseMs)
  }
}

/** Lets a transaction of Prisma run the statements of `erased-rows.ts`. */
export function clientOf(transaction: Transaction): Client {
  return {
    query: async (text, values) => ({ rowCount: await transaction.$executeRawUnsafe(text, ...values) }),
  }
}
