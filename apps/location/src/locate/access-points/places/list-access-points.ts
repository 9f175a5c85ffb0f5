import {
  listAccessPoints,
  MAX_LISTED_ACCESS_POINTS,
  type PlacedAccessPoint,
} from '@bearing/contracts/location/access-points/coverage'
import { formatMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../../ground/database.js'
import { inTurns } from '../../../ground/in-turns.js'
import { ReadPool } from '../../../ground/read-pool.js'
import type { RowOf } from '../../../ground/read-rows.js'
import { ACCESS_POINT } from '../../../ground/stations/access-point.js'
import { Tombstones } from '../../../ground/tombstones.js'
import { readStations, type LayerRows } from '../../known-stations.js'
import { recordOf } from '../access-point-reader.js'
import { ownAccessPoint } from '../own-access-point.js'
import { listSql, type LISTED } from './coverage-sql.js'
import { OwnPlaces } from './own-places.js'
import { WORLD } from './tiles.js'

/** Lists the access points of an organization in a box, as an export has them. */
@Controller()
export class ListAccessPoints {
  constructor(
    private readonly places: OwnPlaces,
    private readonly reads: ReadPool,
    private readonly database: Database,
  ) {}

  @Handle(listAccessPoints)
  async execute(input: Input<typeof listAccessPoints>): Promise<Output<typeof listAccessPoints>> {
    const { bbox: box = WORLD } = input
    const organizationId = input.organization_id.toLowerCase()
    const isSampled = await this.places.areMany(organizationId, box)
    // One more says whether these are all.
    const found = await this.places.read(
      listSql({ organizationId, box, isSampled }, MAX_LISTED_ACCESS_POINTS + 1),
    )
    const listed = found.slice(0, MAX_LISTED_ACCESS_POINTS)
    const bssids = listed.map(({ bssid }) => bssid)
    const stations = await readStations(this.reads, ACCESS_POINT, organizationId, bssids)
    // Nothing of the base layer is listed: all organizations share it.
    const known = new Map(stations.map(({ key, own }) => [key, own]))
    const areas = await this.database.forgottenArea.findMany({ where: { organizationId, sweptAt: null } })
    const data = await inTurns(describeAll(listed, known, new Tombstones(new Map(), areas)))
    return { data, complete: !isSampled && found.length === listed.length }
  }
}

function* describeAll(
  found: readonly RowOf<typeof LISTED>[],
  known: ReadonlyMap<number, LayerRows<typeof ACCESS_POINT.importedColumns>>,
  tombstones: Tombstones,
): Generator<void, PlacedAccessPoint[], undefined> {
  const accessPoints: PlacedAccessPoint[] = []
  for (const { bssid, updated_at } of found) {
    const own = known.get(bssid)
    const described = own && ownAccessPoint(recordOf(own))
    // Rows in an erased area are swept soon after.
    if (described && tombstones.keeps(ACCESS_POINT, bssid, described.shown.lat, described.shown.lon))
      accessPoints.push({
        macAddress: formatMacAddress(bssid),
        ...described.shown,
        moving: described.moving,
        updated_at: updated_at.toISOString(),
      })
    yield
  }
  return accessPoints
}
