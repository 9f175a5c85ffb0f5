import { invalidInput } from '@bearing/contracts/errors'
import { forgetAccessPoint } from '@bearing/contracts/location/access-points/erase-stations'
import { formatMacAddress, isUsableBssid } from '@bearing/contracts/location/access-points/mac-address'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../ground/audit-log.js'
import { organizationOf, writableLayer } from '../ground/layer.js'
import { ACCESS_POINT } from '../ground/stations/access-point.js'
import { addTombstones, removeLearnedRows } from './erased-rows.js'
import { clientOf, Erasure, type Removed } from './erasure.js'

/** Erases one access point from a layer, permanently. */
@Controller()
export class ForgetAccessPoint {
  constructor(private readonly erasure: Erasure) {}

  @Handle(forgetAccessPoint)
  async execute(
    { organization_id, macAddress: bssid }: Input<typeof forgetAccessPoint>,
    by: Principal,
  ): Promise<Output<typeof forgetAccessPoint>> {
    const layer = writableLayer(organization_id, by)
    if (!isUsableBssid(bssid))
      throw invalidInput(
        '/macAddress',
        'must be the address of an access point: neither zero nor a group address',
      )
    const removed = await this.erasure.erase(layer, async (transaction, now, isMine) => {
      const client = clientOf(transaction)
      await addTombstones(client, ACCESS_POINT, layer, [bssid], now)
      if (isMine) await removeLearnedRows(client, ACCESS_POINT, layer, [bssid])
      const [gone] = await transaction.$queryRaw<Removed[]>`
        WITH gone AS (
          DELETE FROM access_points WHERE bssid = ${bssid}::bigint AND organization_id = ${layer}::uuid
          RETURNING observations
        ) SELECT count(*)::float8 AS access_points, coalesce(sum(observations), 0)::float8 AS observations FROM gone`
      recordAudit(transaction, by, {
        action: 'access_point.forgotten',
        target: ['access_point', formatMacAddress(bssid)],
        organizationId: organizationOf(layer),
      })
      return gone ?? { access_points: 0, observations: 0 }
    })
    return { removed }
  }
}
