import { OperationError } from '@bearing/contracts/errors'
import { forgetAccessPoint } from '@bearing/contracts/location/forgetting'
import { formatMacAddress, isUsableBssid } from '@bearing/contracts/location/mac-address'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../ground/audit-log.js'
import { organizationOf, writableLayer } from '../ground/layer.js'
import { Forgetting, type Removed } from './erasure.js'

/** Forgets one access point of a layer, for good. */
@Controller()
export class ForgetAccessPoint {
  constructor(
    private readonly forgetting: Forgetting,
    private readonly audit: AuditLog,
  ) {}

  @Handle(forgetAccessPoint)
  async execute(
    { organization_id, macAddress: bssid }: Input<typeof forgetAccessPoint>,
    by: Principal,
  ): Promise<Output<typeof forgetAccessPoint>> {
    const layer = writableLayer(organization_id, by)
    if (!isUsableBssid(bssid)) {
      const detail = 'must be the address of an access point: neither zero nor a group address'
      throw new OperationError('invalid_input', `/macAddress ${detail}`, {
        errors: [{ pointer: '/macAddress', detail }],
      })
    }
    const removed = await this.forgetting.from(layer, async (transaction, now, isMine) => {
      // Forgotten again: what was stored of it in between, by a service from before, is looked for again.
      await transaction.$executeRaw`
        INSERT INTO forgotten_access_points VALUES (${layer}::uuid, ${bssid}::bigint, ${now}, NULL)
        ON CONFLICT (organization_id, bssid) DO UPDATE SET swept_at = NULL`
      await transaction.$executeRaw`
        DELETE FROM learned_access_points WHERE ${isMine} AND bssid = ${bssid}::bigint AND organization_id = ${layer}::uuid`
      const [gone] = await transaction.$queryRaw<Removed[]>`
        WITH gone AS (
          DELETE FROM access_points WHERE bssid = ${bssid}::bigint AND organization_id = ${layer}::uuid
          RETURNING observations
        ) SELECT count(*)::float8 AS access_points, coalesce(sum(observations), 0)::float8 AS observations FROM gone`
      await this.audit.record(transaction, by, {
        action: 'access_point.forgotten',
        target: ['access_point', formatMacAddress(bssid)],
        organizationId: organizationOf(layer),
      })
      return gone ?? { access_points: 0, observations: 0 }
    })
    return { removed }
  }
}
