import { BackgroundJob } from '@bearing/service/background-job'
import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import type { ReadPool } from '../../ground/read-pool.js'
import type { AccessPointCache } from './access-point-cache.js'

/** Between two checks, in milliseconds. */
const INTERVAL_MS = 5_000
/** After a longer time without a check everything is read again, in milliseconds: a process may have been paused. */
const LONGEST_MS = 60_000

/**
 * The changes that were committed since a snapshot, or none without one, and the snapshot that they belong to. A row without a layer is
 * there in any case. The oldest transaction of a snapshot is younger than that of an earlier one, unless the database was replaced.
 */
export const READ_CHANGES = `
  SELECT now.snapshot::text, pg_snapshot_xmin(now.snapshot) < pg_snapshot_xmin($1::pg_snapshot), organization_id, to_json(bssids)
  FROM (SELECT pg_current_snapshot() AS snapshot) AS now LEFT JOIN layer_changes
    ON transaction >= pg_snapshot_xmin($1::pg_snapshot)::text::bigint
    AND NOT pg_visible_in_snapshot(transaction::text::xid8, $1::pg_snapshot)`

type Row = [snapshot: string, isOlder: boolean | null, layer: string | null, bssids: number[] | null]

/**
 * Checks every few seconds which layers have changed, so that cached access points can be used for longer than events alone would
 * allow: events may be lost. If a check fails, nothing stays cached. Reads what look-ups read from, so a change is found when they see it.
 */
export class LayerChanges extends BackgroundJob {
  private snapshot: string | null = null
  private checkedAtMs = 0

  constructor(
    private readonly pool: ReadPool,
    private readonly cache: AccessPointCache,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.check(),
      logger,
      failure: 'changes of access points cannot be read; they are cached for a minute at most',
    })
  }

  /** @throws the driver's error */
  async check(): Promise<void> {
    this.cache.beginCheck()
    try {
      const rows = await this.pool.tuples<Row>('read-layer-changes', READ_CHANGES, [this.snapshot])
      this.apply(rows)
    } catch (error) {
      this.snapshot = null
      this.cache.clear()
      throw error
    }
    this.cache.endCheck()
  }

  private apply(rows: readonly Row[]): void {
    const nowMs = this.clock.nowMs()
    const isLate = Math.abs(nowMs - this.checkedAtMs) > LONGEST_MS
    this.checkedAtMs = nowMs
    this.snapshot = rows[0]?.[0] ?? null
    if (isLate || rows[0]?.[1] === true) this.cache.clear()
    for (const [, , layer, bssids] of rows) {
      if (layer === null) continue
      if (bssids === null || bssids.length === 0) this.cache.invalidate(layer)
      else this.cache.invalidateSome(layer, bssids)
    }
  }
}
