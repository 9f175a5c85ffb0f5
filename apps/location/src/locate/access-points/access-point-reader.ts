import { setImmediate as nextTurn } from 'node:timers/promises'
import { layeredKnowledge, type LayerRecord } from '@bearing/positioning/learning/layered-knowledge'
import { decodeContributors } from '@bearing/positioning/learning/contributors'
import { decodeStatistics } from '@bearing/positioning/learning/statistics-codec'
import type { LayeredKnowledge } from '@bearing/positioning/layered-estimate'
import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import { SHARED_LAYER } from '../../ground/layer.js'
import { ReadPool } from '../../ground/read-pool.js'
import { NOBODY, type SharingGroups } from '../../sharing/sharing-groups.js'
import { AccessPointCache } from './access-point-cache.js'
import { ReadsTogether } from './batched-reads.js'
import { UNKNOWN } from './table-shard.js'

/**
 * One round trip, and for each address two short ranges of primary keys, each of the one partition that it can be in. With
 * `= ANY ($1)` every partition would be searched for every address.
 */
export const READ_ACCESS_POINTS = `
  SELECT found.* FROM unnest($1::bigint[]) AS asked (bssid) CROSS JOIN LATERAL (
    (SELECT known.bssid, organization_id = $2 AS shared, lat, lon, spread, observations, declared,
      NULL::bytea AS statistics, NULL::bytea AS contributors
    FROM access_points AS known
    WHERE known.bssid = asked.bssid AND organization_id IN ($2::uuid, $3::uuid)
    LIMIT 2)
    UNION ALL
    (SELECT learned.bssid, organization_id = $2, 0, 0, 0, 0, false, statistics, contributors
    FROM learned_access_points AS learned
    WHERE learned.bssid = asked.bssid AND organization_id IN ($2::uuid, $3::uuid)
    LIMIT 2)
  ) AS found`

type Row = [
  bssid: number,
  isShared: boolean,
  lat: number,
  lon: number,
  spread: number,
  observations: number,
  isDeclared: boolean,
  statistics: Uint8Array | null,
  contributors: Uint8Array | null,
]

/** Rows that models are made of in one turn of the event loop: below a millisecond. */
const ROWS_A_TURN = 8

/** Finds what is known of access points: what an organization knows itself, and what is shared. */
@Injectable()
export class AccessPointReader {
  private readonly reads = new ReadsTogether((organizationId, bssids) => this.read(organizationId, bssids))

  constructor(
    private readonly pool: ReadPool,
    private readonly cache: AccessPointCache,
    private readonly groups: Pick<SharingGroups, 'for'>,
    private readonly clock: Clock,
  ) {}

  /**
   * What is known of access points. Asks the database at most once, for those that the cache cannot tell, and for all
   * scans of this turn together.
   *
   * @param bssids each once
   * @returns the known ones, by BSSID
   * @throws the driver's error where the database does not answer in time
   */
  async find(organizationId: string, bssids: Iterable<number>): Promise<Map<number, LayeredKnowledge>> {
    const id = organizationId.toLowerCase()
    const view = this.cache.view(id)
    const nowMs = this.clock.nowMs()
    const known = new Map<number, LayeredKnowledge>()
    const missing: number[] = []
    for (const bssid of bssids) {
      const found = view.get(bssid, nowMs)
      if (found === undefined) missing.push(bssid)
      else if (found !== UNKNOWN) known.set(bssid, found)
    }
    if (missing.length === 0) return known
    const read = await this.reads.of(id, missing)
    for (const bssid of missing) {
      const knowledge = read.get(bssid)
      if (knowledge) known.set(bssid, knowledge)
      view.set(bssid, knowledge ?? UNKNOWN, nowMs)
    }
    return known
  }

  private async read(id: string, bssids: readonly number[]): Promise<Map<number, LayeredKnowledge>> {
    const rows = await this.pool.tuples<Row>('read-access-points', READ_ACCESS_POINTS, [
      `{${bssids.join(',')}}`,
      SHARED_LAYER,
      id,
    ])
    const known = new Map<number, LayeredKnowledge>()
    const groupOf = rows.some(({ 8: contributors }) => contributors) ? await this.groups.for(id) : NOBODY
    let made = 0
    for (const [bssid, ofOne] of Map.groupBy(rows, ([bssid]) => bssid)) {
      const isOf = (shared: boolean) => recordOf(ofOne.filter(([, isShared]) => isShared === shared))
      const knowledge = layeredKnowledge(isOf(false), isOf(true), groupOf)
      if (knowledge) known.set(bssid, knowledge)
      // Nobody else has to wait until all of them are made.
      for (const { 7: statistics } of ofOne) if (statistics) made++
      if (made < ROWS_A_TURN) continue
      made = 0
      await nextTurn()
    }
    return known
  }
}

/** What a layer has of an access point: at most one row of each table. */
function recordOf(rows: readonly Row[]): LayerRecord {
  const record: { -readonly [Key in keyof LayerRecord]: LayerRecord[Key] } = {}
  for (const [, , lat, lon, spreadMeters, observations, isDeclared, statistics, contributors] of rows)
    if (statistics) {
      record.statistics = decodeStatistics(statistics)
      record.contributors = decodeContributors(contributors)
    } else record.place = { lat, lon, spreadMeters, observations, isDeclared }
  return record
}
