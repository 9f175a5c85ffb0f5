import { referenceScansChanged } from '@bearing/contracts/location/learned'
import type { OwnCalibration } from '@bearing/positioning/own-calibration'
import { LEAST_OUTCOMES } from '@bearing/positioning/uncertainty'
import type { Connection } from '@bearing/nats/connection'
import { tellEvent } from '@bearing/nats/events'
import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import type pg from 'pg'
import { RefitThread } from './refit-thread.js'
import type { ReferenceRow } from './surveyed-page.js'

/** How often it is looked whether there is enough that is new, in milliseconds. */
const EVERY_MS = 60_000
/** How long an organization that was taken up is left alone, whatever came of it, unless much is new. */
const REST = '1 hour'
/** The same where much is new: clocks differ, so what has just been fitted to may look new. */
const SHORT_REST = '1 minute'
/** How long what was found counts where less is new: scans grow old, and are forgotten. */
const LASTS = '7 days'
/** How many scans are new enough of them: a tenth, and no fewer than are needed at all. */
const NEWS = `greatest(${String(LEAST_OUTCOMES)}, coalesce(scans, 0) / 10)`
/**
 * How many are so many that nobody waits: radii that were fitted to the first scans of a survey do not fit what is known when
 * all have come. Who has as many as are fitted to is no longer surveying: there what is new is an hour's.
 */
const MANY_NEWS = `greatest(${String(LEAST_OUTCOMES)}, coalesce(scans, 0) / 4)`
/** The scans of an organization that are fitted to: the latest ones. */
const MOST_SCANS = 20_000
/** Rows that are read and handed on at once: well below a millisecond. */
const PAGE = 100

/**
 * The organization that has waited longest, of those with enough that is new. Of each no more scans are counted than are
 * needed for that. Who died over one had not fitted it.
 */
const NEXT = `
  SELECT organization_id AS id, claimed_at::text AS claimed FROM (
    SELECT organization_id FROM reference_sets UNION SELECT organization_id FROM calibrations
  ) AS one LEFT JOIN calibrations USING (organization_id)
  CROSS JOIN LATERAL (
    SELECT count(*) AS count FROM (
      SELECT FROM reference_scans AS scan
      WHERE scan.organization_id = one.organization_id AND scan.received_at > coalesce(fitted_at, '-infinity')
      LIMIT ${MANY_NEWS}
    ) AS latest
  ) AS news
  WHERE (claimed_at IS NULL OR claimed_at < $1::timestamptz - interval '${REST}'
      OR (fitted_at = claimed_at AND claimed_at <= $1::timestamptz - interval '${SHORT_REST}'
        AND scans < ${String(MOST_SCANS)} AND news.count >= ${MANY_NEWS}))
    AND (news.count >= ${NEWS} OR fitted_at < $1::timestamptz - interval '${LASTS}')
  ORDER BY claimed_at NULLS FIRST LIMIT 1`
/**
 * By one process: where another was faster, it is no longer as it was seen. Whoever dies over an organization has kept it for
 * an hour.
 */
const CLAIM = `
  INSERT INTO calibrations AS known (organization_id, outcomes, claimed_at) VALUES ($1, 0, $2)
  ON CONFLICT (organization_id) DO UPDATE SET claimed_at = excluded.claimed_at
  WHERE known.claimed_at = $3::timestamptz RETURNING organization_id`
const SCANS = `
  SELECT project_id, lat, lon, accuracy, at_seconds, readings FROM reference_scans WHERE organization_id = $1
  ORDER BY received_at DESC LIMIT ${String(MOST_SCANS)}`
const KEEP = `
  UPDATE calibrations SET p68 = $3, p95 = $4, scans = $5, outcomes = $6, held = $7, fitted_at = claimed_at
  WHERE organization_id = $1 AND claimed_at = $2`
/** Of who has no scans any more nothing is kept. */
const DROP = 'DELETE FROM calibrations WHERE organization_id = $1 AND claimed_at = $2'

/**
 * Fits the radii of organizations to how far off their own scans are located from each other, in every process of the
 * service: each organization is taken up by one of them, once an hour, or once a minute while a quarter is new. The scans are
 * read in pages and the fit is made in a thread of its own, so no request waits for it.
 */
export class RefitCalibrations extends BackgroundJob {
  private isStopped = false
  private thread: RefitThread | undefined

  constructor(
    private readonly pool: pg.Pool,
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    super({
      intervalMs: EVERY_MS,
      run: () => this.refitAll(),
      logger,
      failure: 'radii could not be fitted; trying again',
    })
  }

  /** Gives up what is under way, to be done in an hour. */
  override async stop(): Promise<void> {
    this.isStopped = true
    await this.thread?.end()
    await super.stop()
  }

  /** Fits the radii of every organization that has enough that is new. */
  async refitAll(): Promise<void> {
    while (!this.isStopped) {
      const now = this.clock.now()
      const { rows } = await this.pool.query<{ id: string; claimed: string | null }>(NEXT, [now])
      const [next] = rows
      if (!next) return
      const { rowCount } = await this.pool.query(CLAIM, [next.id, now, next.claimed])
      // Else another process was faster.
      if (rowCount === 1) await this.refit(next.id, now)
    }
  }

  private async refit(organizationId: string, claimedAt: Date): Promise<void> {
    const thread = new RefitThread()
    this.thread = thread
    try {
      const scans = await this.readInto(thread, organizationId)
      const fitted = await thread.fit()
      await this.keep(organizationId, claimedAt, scans, fitted)
      this.logger.info(
        {
          organization_id: organizationId,
          scans,
          outcomes: fitted.outcomes,
          own: fitted.calibration !== undefined,
        },
        'radii were fitted to the scans of an organization',
      )
    } catch (error) {
      if (!this.isStopped)
        this.logger.warn(
          { err: error, organization_id: organizationId },
          'radii could not be fitted; trying again in an hour',
        )
    } finally {
      this.thread = undefined
      await thread.end()
    }
  }

  /**
   * @returns how many there are
   * @throws where it was stopped before there was a thread to be ended, too
   */
  private async readInto(thread: RefitThread, organizationId: string): Promise<number> {
    if (this.isStopped) throw new Error('the process is about to end')
    const client = await this.pool.connect()
    let failed = true
    let scans = 0
    try {
      await client.query('BEGIN READ ONLY')
      await client.query(`DECLARE page CURSOR FOR ${SCANS}`, [organizationId])
      for (;;) {
        const text = `FETCH ${String(PAGE)} FROM page`
        const { rows } = await client.query<[...ReferenceRow]>({ text, rowMode: 'array' })
        if (rows.length > 0) thread.add(rows)
        scans += rows.length
        if (rows.length < PAGE) break
      }
      await client.query('COMMIT')
      failed = false
      return scans
    } finally {
      client.release(failed)
    }
  }

  private async keep(
    organizationId: string,
    claimedAt: Date,
    scans: number,
    { calibration, outcomes, held }: OwnCalibration,
  ): Promise<void> {
    const key = [organizationId, claimedAt]
    if (scans === 0) await this.pool.query(DROP, key)
    else
      await this.pool.query(KEEP, [
        ...key,
        calibration?.p68,
        calibration?.p95,
        scans,
        outcomes,
        held && JSON.stringify(held),
      ])
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT project_id AS id FROM reference_sets WHERE organization_id = $1',
      [organizationId],
    )
    if (!this.connection.isUp) return
    for (const { id } of rows)
      tellEvent(this.connection, referenceScansChanged, { organization_id: organizationId, project_id: id })
  }
}
