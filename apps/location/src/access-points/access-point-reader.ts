import { Injectable } from '@nestjs/common'
import pg from 'pg'
import { SHARED_LAYER } from '../layer.js'
import type { KnownAccessPoint } from '../positioning/locate.js'
import { AccessPointCache, UNKNOWN, type CachedLayer } from './access-point-cache.js'

/**
 * How long reading may take, in milliseconds. Together with the 2 s that a connection may take it is less than the 5 s
 * that callers wait, so that a database that hangs is told as such.
 */
const READ_MS = 2_500

/** One round trip, and one short range of the primary key for each address. */
export const READ_ACCESS_POINTS = `
  SELECT bssid, organization_id = $2 AS shared, lat, lon, spread, observations
  FROM access_points
  WHERE bssid = ANY ($1::bigint[]) AND organization_id IN ($2::uuid, $3::uuid)`

type Row = [bssid: number, shared: boolean, lat: number, lon: number, spread: number, observations: number]

interface Layers {
  readonly own: CachedLayer
  readonly shared: CachedLayer
}

/** Addresses have 48 bits, so they are exact as numbers; as the texts that the driver makes they would be slow. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** Finds what is known of access points: an organization's own layer first, then the shared one. */
@Injectable()
export class AccessPointReader {
  constructor(
    private readonly pool: pg.Pool,
    private readonly cache: AccessPointCache,
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
    const own = this.cache.layer(id)
    const shared = this.cache.layer(SHARED_LAYER)
    const known = new Map<number, KnownAccessPoint>()
    const missing: number[] = []
    for (const bssid of bssids) {
      const found = lookUp(bssid, own, shared)
      if (found === undefined) missing.push(bssid)
      else if (found !== UNKNOWN) known.set(bssid, found)
    }
    if (missing.length > 0) await this.read(id, missing, { own, shared }, known)
    return known
  }

  private async read(
    id: string,
    bssids: readonly number[],
    layers: Layers,
    known: Map<number, KnownAccessPoint>,
  ): Promise<void> {
    const rows = await this.query(id, bssids)
    for (const bssid of bssids) {
      layers.own.set(bssid, UNKNOWN)
      layers.shared.set(bssid, UNKNOWN)
    }
    for (const [bssid, isShared, lat, lon, spreadMeters, observations] of rows) {
      const accessPoint = { lat, lon, spreadMeters, observations }
      const layer = isShared ? layers.shared : layers.own
      layer.set(bssid, accessPoint)
      if (!isShared || !known.has(bssid)) known.set(bssid, accessPoint)
    }
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

/** Undefined: the cache cannot tell. */
function lookUp(bssid: number, own: CachedLayer, shared: CachedLayer) {
  const found = own.get(bssid)
  return found === UNKNOWN ? shared.get(bssid) : found
}
