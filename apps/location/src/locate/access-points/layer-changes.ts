import { BackgroundJob } from '@bearing/service/work/background-job'
import type { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import type { ReadPool } from '../../ground/read-pool.js'
import type { RowOf } from '../../ground/read-rows.js'
import type { AccessPointCache } from './access-point-cache.js'

/** Between two checks, in milliseconds. */
const INTERVAL_MS = 5_000
/** From the begin of a check, how long entries may be used for longer than events alone would allow, in milliseconds. */
const CHECKED_MS = 60_000
/** After a longer time without a check everything is read again, in milliseconds. Changes are kept for hours longer. */
const LONGEST_MS = 3_600_000
/** With so many changes everything is read again: a check reads no more of them. */
const MOST_CHANGES = 10_000
/** With more access points than these their layers are read again: each is searched in the table of each organization. */
const MOST_ACCESS_POINTS = 10_000

/**
 * The changes that were committed since a snapshot, by layer, or none without one, and the snapshot that they belong to. A row without a
 * layer is there in any case. The oldest transaction of a snapshot is younger than that of an earlier one, unless the database was replaced,
 * and the server was started at another time if one that lost some transactions took over.
 */
const READ_CHANGES = {
  name: 'read-layer-changes',
  text: `
    SELECT now.snapshot::text, pg_snapshot_xmin(now.snapshot) < pg_snapshot_xmin($1::pg_snapshot) AS is_older,
      extract(epoch FROM pg_postmaster_start_time())::text AS started_at, are_too_many, organization_id, bssids
    FROM (SELECT pg_current_snapshot() AS snapshot) AS now LEFT JOIN (
      SELECT organization_id, sum(count(*)) OVER () >= ${String(MOST_CHANGES)} AS are_too_many,
        CASE WHEN sum(sum(cardinality(bssids))) OVER () > ${String(MOST_ACCESS_POINTS)} THEN '[[]]' ELSE json_agg(bssids) END AS bssids
      FROM (
        SELECT organization_id, bssids FROM layer_changes
        WHERE transaction >= pg_snapshot_xmin($1::pg_snapshot)::text::bigint
          AND NOT pg_visible_in_snapshot(transaction::text::xid8, $1::pg_snapshot)
        LIMIT ${String(MOST_CHANGES)}
      ) AS change GROUP BY organization_id
    ) AS layer ON true`,
  columns: {
    snapshot: 'text',
    is_older: 'bool | null',
    started_at: 'text',
    are_too_many: 'bool | null',
    organization_id: 'uuid | null',
    bssids: 'json | null',
  },
} as const

/** The access points of each change; none stand for the whole layer. */
type Changed = readonly (readonly number[] | null)[] | null

/**
 * Checks every few seconds which layers have changed, so that cached access points can be used for longer than events alone would
 * allow: events may be lost. Fails when the database has too much to do, so a failed check drops nothing: without checks entries live
 * no longer than events allow, and the next good check finds all changes since the last one. Reads what look-ups read from, so a change
 * is found when they see it.
 */
export class LayerChanges extends BackgroundJob {
  private snapshot: string | null = null
  /** Start of the server that was asked last. */
  private startedAt: string | undefined
  /** Begin of the last good check, in milliseconds since 1970. */
  private begunAtMs = 0

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
    const begunAtMs = this.clock.nowMs()
    this.cache.beginCheck()
    const rows = await this.pool.rows(READ_CHANGES, [this.snapshot])
    const sinceMs = begunAtMs - this.begunAtMs
    // A clock that was set back would let all entries live for longer.
    const isLate = sinceMs > LONGEST_MS || sinceMs < -CHECKED_MS
    const [first] = rows
    const isAnother = first?.is_older === true || first?.started_at !== this.startedAt
    if (isLate || isAnother || first?.are_too_many === true) this.cache.clear()
    else await this.invalidate(rows)
    this.snapshot = first?.snapshot ?? null
    this.startedAt = first?.started_at
    this.begunAtMs = begunAtMs
    this.cache.endCheck(begunAtMs + CHECKED_MS)
  }

  private async invalidate(rows: readonly RowOf<typeof READ_CHANGES.columns>[]): Promise<void> {
    for (const { organization_id: layer, bssids: changed } of rows) {
      const changes = changed as Changed // of the statement above
      if (layer === null || changes === null) continue
      const bssids: number[] = []
      let isWhole = false
      for (const some of changes) {
        if (some === null || some.length === 0) isWhole = true
        else bssids.push(...some)
      }
      if (isWhole) this.cache.invalidate(layer)
      else await this.cache.invalidateSome(layer, bssids)
    }
  }
}
