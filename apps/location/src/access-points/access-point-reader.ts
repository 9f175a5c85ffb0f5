import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import pg from 'pg'
import { SHARED_LAYER } from '../layer.js'
import type { KnownAccessPoint } from '@bearing/positioning/locate'
import { AccessPointCache, UNKNOWN } from './access-point-cache.js'

/**
 * How long reading may take, in milliseconds. Together with the 2 s that a connection may take it is less than the 5 s
 * that callers wait, so that a database that hangs is told as such.
 */
const READ_MS = 2_500

/**
 * One round trip, and for each address one short range of the primary key of the one partition that it can be in. With
 * `= ANY ($1)` every partition would be searched for every address.
 */
export const READ_ACCESS_POINTS = `
  SELECT found.* FROM unnest($1::bigint[]) AS asked (bssid) CROSS JOIN LATERAL (
    SELECT known.bssid, organization_id = $2 AS shared, lat, lon, spread, observations
    FROM access_points AS known
    WHERE known.bssid = asked.bssid AND organization_id IN ($2::uuid, $3::uuid)
    LIMIT 2
  ) AS found`

type Row = [bssid: number, shared: boolean, lat: number, lon: number, spread: number, observations: number]

/** Addresses have 48 bits, so they are exact as numbers; as the texts that the driver makes they would be slow. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** Finds what is known of access points: an organization's own layer first, then the shared one. */
@Injectable()
export class AccessPointReader {
  constructor(
    private readonly pool: pg.Pool,
    private readonly cache: AccessPointCache,
    private readonly clock: Clock,
  ) {}

  /**
   * What is known of access points. Asks the database at most once, for those that the cache cannot tell.
   *
   * @param bssids each once
   * @returns the known ones, by BSSID
   * @throws the driver's error where the database does not answer in time
   */
  async find(organizationId: string, bssids: Iterable<number>): Promise<Map<number, KnownAccessPoint>> {
    const id = organizationId.toLowerCase()
    const view = this.cache.view(id)
    const nowMs = this.clock.nowMs()
    const known = new Map<number, KnownAccessPoint>()
    const missing: number[] = []
    for (const bssid of bssids) {
      const found = view.get(bssid, nowMs)
      if (found === undefined) missing.push(bssid)
      else if (found !== UNKNOWN) known.set(bssid, found)
    }
    if (missing.length === 0) return known
    for (const [bssid, accessPoint] of await this.read(id, missing)) known.set(bssid, accessPoint)
    for (const bssid of missing) view.set(bssid, known.get(bssid) ?? UNKNOWN, nowMs)
    return known
  }

  private async read(id: string, bssids: readonly number[]): Promise<Map<number, KnownAccessPoint>> {
    const known = new Map<number, KnownAccessPoint>()
    for (const [bssid, isShared, lat, lon, spreadMeters, observations] of await this.query(id, bssids))
      if (!isShared || !known.has(bssid)) known.set(bssid, { lat, lon, spreadMeters, observations })
    return known
  }

  private async query(id: string, bssids: readonly number[]): Promise<readonly Row[]> {
    const query: pg.QueryArrayConfig & { query_timeout: number } = {
      name: 'read-access-points',
      text: READ_ACCESS_POINTS,
      values: [`{${bssids.join(',')}}`, SHARED_LAYER, id],
      rowMode: 'array',
      types,
      query_timeout: READ_MS, // the driver reads it from here; its types do not know
    }
    return (await this.pool.query<Row>(query)).rows
  }
}
