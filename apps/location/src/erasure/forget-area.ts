import { OperationError } from '@bearing/contracts/errors'
import { forgetArea, MAX_ERASED_AREAS } from '@bearing/contracts/location/access-points/erase-stations'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { EARTH_RADIUS_METERS } from '@bearing/positioning/earth/sphere'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../ground/audit-log.js'
import type { Transaction } from '../ground/database.js'
import { organizationOf, writableLayer } from '../ground/layer.js'
import type { Area } from '../ground/stations/station.js'
import { Erasure, type Remove, type Removed } from './erasure.js'

/** The statement reads every imported access point of every layer. */
const TIMEOUT_MS = 25_000

/** Erases what a layer knows of an area, permanently. */
@Controller()
export class ForgetArea {
  constructor(
    private readonly erasure: Erasure,
    private readonly randomness: Randomness,
  ) {}

  @Handle(forgetArea)
  async execute(
    { organization_id, lat, lon, radius }: Input<typeof forgetArea>,
    by: Principal,
  ): Promise<Output<typeof forgetArea>> {
    const layer = writableLayer(organization_id, by)
    const id = this.randomness.newId()
    const erase: Remove = async (transaction, now, isMine) => {
      const areas = await transaction.forgottenArea.count({ where: { organizationId: layer } })
      if (areas >= MAX_ERASED_AREAS)
        throw new OperationError(
          'too_many_areas',
          '1,000 areas are erased already. Erase access points by their MAC addresses instead.',
        )
      await transaction.forgottenArea.create({
        data: { id, organizationId: layer, lat, lon, radius, forgottenAt: now },
      })
      await this.removeCells(transaction, layer, { lat, lon, radius })
      const removed = await this.remove(transaction, { layer, now, isMine }, { lat, lon, radius })
      recordAudit(transaction, by, {
        action: 'area.forgotten',
        target: ['area', id],
        organizationId: organizationOf(layer),
        details: { lat, lon, radius, removed: removed.access_points },
      })
      return removed
    }
    return { removed: await this.erasure.erase(layer, erase, TIMEOUT_MS) }
  }

  /** Imported cells with their center there. Learned cells lose what was heard there when the area is swept. */
  private async removeCells(
    transaction: Transaction,
    layer: string,
    { lat, lon, radius }: Area,
  ): Promise<void> {
    const half = radius / (2 * EARTH_RADIUS_METERS)
    await transaction.$executeRaw`
      DELETE FROM cells WHERE organization_id = ${layer}::uuid
        AND sind((lat - ${lat}::float8) / 2) ^ 2
          + cosd(lat) * cosd(${lat}::float8) * sind((lon - ${lon}::float8) / 2) ^ 2 <= sin(${half}::float8) ^ 2`
  }

  /** Access points there get tombstones of their own, because they are heard from outside of the area as well. */
  private async remove(
    transaction: Transaction,
    { layer, now, isMine }: { layer: string; now: Date; isMine: boolean },
    { lat, lon, radius }: Area,
  ): Promise<Removed> {
    const half = radius / (2 * EARTH_RADIUS_METERS)
    const [gone] = await transaction.$queryRaw<Removed[]>`
      WITH gone AS (
        DELETE FROM access_points WHERE organization_id = ${layer}::uuid
          AND sind((lat - ${lat}::float8) / 2) ^ 2
            + cosd(lat) * cosd(${lat}::float8) * sind((lon - ${lon}::float8) / 2) ^ 2 <= sin(${half}::float8) ^ 2
        RETURNING bssid, observations
      ), learned AS MATERIALIZED (
        SELECT known.bssid FROM learned_access_points AS known JOIN gone USING (bssid)
        WHERE ${isMine} AND organization_id = ${layer}::uuid ORDER BY known.bssid FOR UPDATE OF known
      ), removed AS (
        DELETE FROM learned_access_points USING learned
        WHERE learned_access_points.bssid = learned.bssid AND organization_id = ${layer}::uuid
      ), erased AS (
        INSERT INTO forgotten_access_points SELECT ${layer}::uuid, bssid, ${now}, NULL FROM gone ORDER BY bssid
        ON CONFLICT (organization_id, bssid) DO UPDATE SET swept_at = NULL
      ) SELECT count(*)::float8 AS access_points, coalesce(sum(observations), 0)::float8 AS observations FROM gone`
    return gone ?? { access_points: 0, observations: 0 }
  }
}
