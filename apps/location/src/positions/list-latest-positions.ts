import {
  listLatestPositions,
  type LatestPosition,
} from '@bearing/contracts/location/positions/latest-position'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database, Pools } from '../ground/database.js'
import { readRows, type RowOf } from '../ground/read-rows.js'
import { latestSql, type LATEST } from './latest-sql.js'
import { keptSince, toDevicePosition } from './position-row.js'
import { RecordReading } from './record-reading.js'

@Controller()
export class ListLatestPositions {
  constructor(
    private readonly database: Database,
    private readonly pools: Pools,
    private readonly clock: Clock,
    private readonly readings: RecordReading,
  ) {}

  @Handle(listLatestPositions)
  async execute(
    input: Input<typeof listLatestPositions>,
    by: Principal,
  ): Promise<Output<typeof listLatestPositions>> {
    const { bbox: box, since, cursor = '', per_page } = input
    const kept = await keptSince(this.database, input, this.clock.now())
    const from = new Date(Math.max(kept.getTime(), since === undefined ? 0 : Date.parse(since)))
    // One more says whether there is another page.
    const sql = latestSql({ scope: input, box, since: from, after: cursor, limit: per_page + 1 })
    const rows = await readRows(this.pools.main, sql, sql.values)
    if (rows.length > 0) await this.readings.execute(input, by)
    const data = rows.slice(0, per_page).map(toLatestPosition)
    const next = rows.length > per_page ? (data.at(-1)?.device_serial ?? null) : null
    if (input.format === 'json') return { data, next }
    return { type: 'FeatureCollection', features: data.map(toFeature), next }
  }
}

function toLatestPosition({ device_serial, fulfilled_with, ...row }: RowOf<typeof LATEST>): LatestPosition {
  return { device_serial, ...toDevicePosition({ ...row, fulfilledWith: fulfilled_with }) }
}

function toFeature({ lat, lon, ...properties }: LatestPosition) {
  const coordinates: [number, number] = [lon, lat]
  const { device_serial: id } = properties
  return { type: 'Feature' as const, id, geometry: { type: 'Point' as const, coordinates }, properties }
}
