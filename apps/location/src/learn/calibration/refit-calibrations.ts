import { referenceScansChanged } from '@bearing/contracts/location/learned'
import { LEAST_SCANS, type OwnCalibration } from '@bearing/positioning/calibration/own-calibration'
import { FEATURES } from '@bearing/positioning/estimate/uncertainty'
import { Connection } from '@bearing/nats/connection'
import { broadcastEvent } from '@bearing/nats/events'
import { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { BackgroundJob } from '@bearing/service/background-job'
import { LOGGER } from '@bearing/service/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Pools } from '../../ground/database.js'
import { RefitThread } from './refit-thread.js'
import type { ReferenceRow } from './surveyed-page.js'

/** How often it looks for organizations with enough new scans, in milliseconds. */
const EVERY_MS = 60_000
/** How long an organization waits after a fit, also a failed one. */
const REST = '1 hour'
/** The same if a quarter of its scans is new. Not shorter, because clocks differ and fitted scans may look new. */
const SHORT_REST = '1 minute'
/** How long a fit lasts if there are fewer new scans, because old scans expire. */
const LASTS = '7 days'
/** New scans that a fit needs. */
const NEWS = `greatest(${String(LEAST_SCANS)}, coalesce(scans, 0) / 10)`
/** New scans that shorten the wait: radii that were fitted to the first scans of a survey do not fit the whole. */
const MANY_NEWS = `greatest(${String(LEAST_SCANS)}, coalesce(scans, 0) / 4)`
/** Scans of an organization that radii are fitted to: the latest ones. */
const MOST_SCANS = 20_000
/** Rows that are read and passed on together: well below a millisecond. */
const PAGE = 100

/** The organization that has waited longest, of those with enough new scans, or a fit of another version. */
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
    AND (news.count >= ${NEWS} OR fitted_at < $1::timestamptz - interval '${LASTS}'
      OR (fitted_at IS NOT NULL AND coalesce(cardinality(radius68), -1) NOT IN (0, ${String(FEATURES)})))
  ORDER BY claimed_at NULLS FIRST LIMIT 1`
/** Claims an organization, unless another process was faster. If the process dies, another one may claim it after an hour. */
const CLAIM = `
  INSERT INTO calibrations AS known (organization_id, outcomes, claimed_at) VALUES ($1, 0, $2)
  ON CONFLICT (organization_id) DO UPDATE SET claimed_at = excluded.claimed_at
  WHERE known.claimed_at = $3::timestamptz RETURNING organization_id`
const SCANS = `
  SELECT project_id, lat, lon, accuracy, at_seconds, readings FROM reference_scans WHERE organization_id = $1
  ORDER BY received_at DESC LIMIT ${String(MOST_SCANS)}`
const KEEP = `
  UPDATE calibrations SET radius68 = $3, radius95 = $4, scans = $5, outcomes = $6, held = $7, fitted_at = claimed_at
  WHERE organization_id = $1 AND claimed_at = $2`
const DROP = 'DELETE FROM calibrations WHERE organization_id = $1 AND claimed_at = $2'

/**
 * Fits the radii of organizations to the errors with which their own scans are located from each other: once an hour, or once a
 * minute while a quarter of the scans is new. The fit runs in a thread of its own, so no request waits for it.
 */
@Injectable()
export class RefitCalibrations extends BackgroundJob {
  private thread: RefitThread | undefined

  constructor(
    private readonly pools: Pools,
    private readonly connection: Connection,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      intervalMs: EVERY_MS,
      run: () => this.refitAll(),
      logger,
      failure: 'Radii could not be fitted. Retrying in a minute.',
    })
  }

  /** Drops the fit under way. Another process retries it in an hour. */
  override async stop(): Promise<void> {
    const stopped = super.stop()
    await this.thread?.end()
    await stopped
  }

  /** Fits the radii of all organizations with enough new scans. */
  async refitAll(): Promise<void> {
    while (!this.isStopping) {
      const now = this.clock.now()
      const { rows } = await this.pools.learning.query<{ id: string; claimed: string | null }>(NEXT, [now])
      const [next] = rows
      if (!next) return
      const { rowCount } = await this.pools.learning.query(CLAIM, [next.id, now, next.claimed])
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
      if (!this.isStopping)
        this.logger.warn(
          { err: error, organization_id: organizationId },
          'Radii could not be fitted. Retrying in an hour.',
        )
    } finally {
      this.thread = undefined
      await thread.end()
    }
  }

  /** @returns the number of scans */
  private async readInto(thread: RefitThread, organizationId: string): Promise<number> {
    if (this.isStopping) throw new Error('the process is about to end')
    const client = await this.pools.learning.connect()
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
    if (scans === 0) await this.pools.learning.query(DROP, key)
    else
      await this.pools.learning.query(KEEP, [
        ...key,
        calibration?.p68 ?? [],
        calibration?.p95 ?? [],
        scans,
        outcomes,
        held && JSON.stringify(held),
      ])
    const { rows } = await this.pools.learning.query<{ id: string }>(
      'SELECT project_id AS id FROM reference_sets WHERE organization_id = $1',
      [organizationId],
    )
    if (!this.connection.isUp) return
    for (const { id } of rows)
      broadcastEvent(this.connection, referenceScansChanged, {
        organization_id: organizationId,
        project_id: id,
      })
  }
}
