import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { warnSeldom } from '@bearing/service/warn-seldom'
import type pg from 'pg'

/** How often it is looked for what is too old, in milliseconds. */
const SWEEP_MS = 600_000
/** Rows that are changed at once: look-ups do not wait for long. */
const AT_ONCE = 5_000

/** How long the last scan of a device is kept. One that somebody holds has just come back, and has another by then. */
const DEVICE_SCANS = `
  DELETE FROM device_scans WHERE id = ANY (ARRAY (
    SELECT id FROM device_scans WHERE received_at < $1::timestamptz - interval '1 hour' LIMIT ${String(AT_ONCE)}
    FOR UPDATE SKIP LOCKED
  ))`

/** The stream keeps no message for that long. */
const SUSPECTS = `
  DELETE FROM suspect_messages WHERE id = ANY (ARRAY (
    SELECT id FROM suspect_messages WHERE begun_at < $1::timestamptz - interval '30 days' LIMIT ${String(AT_ONCE)}
  ))`

/** Each organization that has contributed: one look into the index for each, not one for each observation. */
const ORGANIZATIONS = `
  WITH RECURSIVE found (id) AS (
    (SELECT organization_id FROM observations ORDER BY organization_id LIMIT 1)
    UNION ALL
    SELECT (SELECT organization_id FROM observations WHERE organization_id > found.id ORDER BY organization_id LIMIT 1)
    FROM found WHERE found.id IS NOT NULL
  ) SELECT id, coalesce(retention_days, 365) AS days
  FROM found LEFT JOIN location_settings ON organization_id = id WHERE id IS NOT NULL`

/**
 * Of those that are gone already none is looked at: what is kept has an index of its own. What somebody else holds is left until
 * the next time, here and where ids are removed: rows are found in another order than they are locked in by who takes out of them
 * what was forgotten, and nothing can deadlock with who does not wait.
 */
export const FORGET_CONTRIBUTIONS = `
  UPDATE observations SET contribution = NULL WHERE id = ANY (ARRAY (
    SELECT id FROM observations WHERE contribution IS NOT NULL AND id = ANY (ARRAY (
      SELECT id FROM observations
      WHERE organization_id = $2 AND received_at < $1::timestamptz - make_interval(days => $3) AND contribution IS NOT NULL
      LIMIT ${String(AT_ONCE)}
    )) FOR NO KEY UPDATE SKIP LOCKED
  ))`

/**
 * The rows of their projects are locked first, as by who adds some: nothing can deadlock, and who has them in memory sees
 * that they are not those any more.
 */
const REFERENCES = `
  WITH old AS MATERIALIZED (
    SELECT project_id, cell, id FROM reference_scans
    WHERE organization_id = $2 AND received_at < $1::timestamptz - make_interval(days => $3)
    LIMIT ${String(AT_ONCE)}
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

/** The stream keeps what nobody acknowledged; what has come and gone within this time is known, so it is not counted twice. */
const IDS = `
  DELETE FROM observations WHERE id = ANY (ARRAY (
    SELECT id FROM observations WHERE id = ANY (ARRAY (
      SELECT id FROM observations
      WHERE organization_id = $2 AND received_at < $1::timestamptz - make_interval(days => greatest($3, 8))
      LIMIT ${String(AT_ONCE)}
    )) FOR UPDATE SKIP LOCKED
  ))`

/**
 * Removes what was kept for as long as it may be kept. The sums that were learned from it stay. What fails keeps nothing else
 * from being removed, of the same organization or of others.
 */
export class ForgetOld {
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private stopped = false
  /** Somebody was promised that it goes. */
  private readonly failed: (error: unknown) => void

  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    this.failed = warnSeldom(logger, 'what is too old could not be removed; trying again in ten minutes')
  }

  /** Begins to look, now and every ten minutes. */
  start(): void {
    this.timer = setInterval(() => {
      this.sweep()
    }, SWEEP_MS)
    this.sweep()
  }

  /** Ends after what is under way. */
  async stop(): Promise<void> {
    this.stopped = true
    clearInterval(this.timer)
    await this.running
  }

  private sweep(): void {
    this.running ??= this.forget()
      .catch(this.failed)
      .finally(() => {
        this.running = undefined
      })
  }

  private async forget(): Promise<void> {
    const now = this.clock.now()
    for (const statement of [DEVICE_SCANS, SUSPECTS]) await this.attempt(statement, [now], 'of everybody')
    const { rows } = await this.pool.query<{ id: string; days: number }>(ORGANIZATIONS)
    for (const { id, days } of rows)
      for (const statement of [FORGET_CONTRIBUTIONS, REFERENCES, IDS])
        await this.attempt(statement, [now, id, days], `of organization ${id}`)
  }

  /** @throws where the database is away, since nothing else would go better */
  private async attempt(statement: string, values: unknown[], whose: string): Promise<void> {
    try {
      await this.all(statement, values)
    } catch (error) {
      this.failed(new Error(`what is too old ${whose} stays`, { cause: error }))
      await this.pool.query('SELECT')
    }
  }

  private async all(statement: string, values: unknown[]): Promise<void> {
    while (!this.stopped) {
      const { rowCount } = await this.pool.query(statement, values)
      if ((rowCount ?? 0) < AT_ONCE) return
    }
  }
}
