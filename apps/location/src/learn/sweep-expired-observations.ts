import { BackgroundJob } from '@bearing/service/work/background-job'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable } from '@nestjs/common'
import { Pools } from '../ground/database.js'
import { readRows } from '../ground/read-rows.js'

const SWEEP_MS = 600_000
/** Rows that one statement changes: few enough that look-ups do not wait for long. */
const BATCH = 5_000
const FAILURE = 'Expired observations could not be deleted. Retrying in ten minutes.'

const DEVICE_SCANS = `
  DELETE FROM device_scans WHERE id = ANY (ARRAY (
    SELECT id FROM device_scans WHERE received_at < $1::timestamptz - interval '1 hour' LIMIT ${String(BATCH)}
    FOR UPDATE SKIP LOCKED
  ))`

const NETWORK_EVIDENCE = `
  DELETE FROM network_evidence WHERE id = ANY (ARRAY (
    SELECT id FROM network_evidence WHERE seen_at < $1::timestamptz - interval '2 days' LIMIT ${String(BATCH)}
    FOR UPDATE SKIP LOCKED
  ))`

/** The stream keeps no message for that long. */
const CRASH_COUNTS = `
  DELETE FROM suspect_messages WHERE id = ANY (ARRAY (
    SELECT id FROM suspect_messages WHERE begun_at < $1::timestamptz - interval '30 days' LIMIT ${String(BATCH)}
  ))`

/** All organizations with observations: one look into the index for each. */
const ORGANIZATIONS = {
  text: `
    WITH RECURSIVE found (id) AS (
      (SELECT organization_id FROM observations ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (SELECT organization_id FROM observations WHERE organization_id > found.id ORDER BY organization_id LIMIT 1)
      FROM found WHERE found.id IS NOT NULL
    ) SELECT id, coalesce(retention_days, 365) AS days
    FROM found LEFT JOIN location_settings ON organization_id = id WHERE id IS NOT NULL`,
  columns: { id: 'uuid', days: 'int4' },
} as const

/**
 * `observations_kept_idx` covers stored contributions only. Locked rows are skipped until the next run, because rows are found in
 * another order than that of `locks.ts`.
 */
export const DELETE_CONTRIBUTIONS = `
  UPDATE observations SET contribution = NULL, height = NULL WHERE id = ANY (ARRAY (
    SELECT id FROM observations WHERE contribution IS NOT NULL AND id = ANY (ARRAY (
      SELECT id FROM observations
      WHERE organization_id = $2 AND received_at < $1::timestamptz - make_interval(days => $3) AND contribution IS NOT NULL
      LIMIT ${String(BATCH)}
    )) FOR NO KEY UPDATE SKIP LOCKED
  ))`

/** The new version invalidates cached scans. */
const REFERENCES = `
  WITH old AS MATERIALIZED (
    SELECT project_id, cell, id FROM reference_scans
    WHERE organization_id = $2 AND received_at < $1::timestamptz - make_interval(days => $3)
    LIMIT ${String(BATCH)}
  ), locked AS MATERIALIZED (
    SELECT project_id FROM reference_sets WHERE project_id IN (SELECT project_id FROM old)
    ORDER BY project_id FOR NO KEY UPDATE
  ), gone AS (
    DELETE FROM reference_scans AS scan USING locked JOIN old USING (project_id)
    WHERE scan.project_id = old.project_id AND scan.cell = old.cell AND scan.id = old.id
    RETURNING scan.project_id
  ), changed AS (
    UPDATE reference_sets SET version = version + 1 WHERE project_id IN (SELECT project_id FROM gone)
  ) SELECT FROM gone`

/** For eight days the stream may redeliver an observation: its id is kept, so that it does not count twice. */
const IDS = `
  DELETE FROM observations WHERE id = ANY (ARRAY (
    SELECT id FROM observations WHERE id = ANY (ARRAY (
      SELECT id FROM observations
      WHERE organization_id = $2 AND received_at < $1::timestamptz - make_interval(days => greatest($3, 8))
      LIMIT ${String(BATCH)}
    )) FOR UPDATE SKIP LOCKED
  ))`

/** Deletes expired observations, reference scans and device tracks. Learned statistics stay. A failure delays nothing else. */
@Injectable()
export class SweepExpiredObservations extends BackgroundJob {
  private readonly warn: (error: unknown) => void

  constructor(
    private readonly pools: Pools,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ intervalMs: SWEEP_MS, run: () => this.sweep(), logger, failure: FAILURE })
    this.warn = warnSeldom(logger, FAILURE)
  }

  private async sweep(): Promise<void> {
    const now = this.clock.now()
    for (const statement of [DEVICE_SCANS, NETWORK_EVIDENCE, CRASH_COUNTS])
      await this.attempt(statement, [now], 'all')
    for (const { id, days } of await readRows(this.pools.learning, ORGANIZATIONS))
      for (const statement of [DELETE_CONTRIBUTIONS, REFERENCES, IDS])
        await this.attempt(statement, [now, id, days], id)
  }

  /** @throws if the database is away: nothing else would succeed */
  private async attempt(statement: string, values: unknown[], organization: string): Promise<void> {
    try {
      while (!this.isStopping) {
        const { rowCount } = await this.pools.learning.query(statement, values)
        if ((rowCount ?? 0) < BATCH) return
      }
    } catch (error) {
      this.warn(new Error(`expired records stay (organization: ${organization})`, { cause: error }))
      await this.pools.learning.query('SELECT')
    }
  }
}
