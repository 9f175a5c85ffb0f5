import { accessPointsChanged } from '@bearing/contracts/location/access-point-import'
import { relearnLayer } from '@bearing/contracts/location/learned'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { auditRow } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import type pg from 'pg'
import { organizationOf, SHARED_LAYER } from '../ground/layer.js'
import { SharingRules } from '../sharing/sharing-policy.js'
import { storeEvent } from '../ground/outbox.js'
import { rebuildLayer, type Rebuilt } from './rebuild-layer.js'

/** Connections whose statements may take long. */
export class RebuildPool {
  constructor(readonly pool: pg.Pool) {}
}

/** Learns a layer anew from the observations that are stored, and tells everybody. */
@Controller()
export class RelearnLayer {
  constructor(
    private readonly connections: RebuildPool,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly sharing: SharingRules,
  ) {}

  @Handle(relearnLayer)
  async execute(input: Input<typeof relearnLayer>, by: Principal): Promise<Output<typeof relearnLayer>> {
    const layer = input.organization_id ?? SHARED_LAYER
    const client = await this.connections.pool.connect()
    try {
      const record = (result: Rebuilt) => this.record(client, layer, by, result)
      const rebuilt = await rebuildLayer(client, layer, this.clock.now(), record, this.sharing.policy)
      client.release()
      const { observations, accessPoints: access_points, cells } = rebuilt
      return { observations, access_points, cells }
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  private async record(
    client: pg.ClientBase,
    layer: string,
    by: Principal,
    { observations, accessPoints, cells }: Rebuilt,
  ): Promise<void> {
    const organizationId = organizationOf(layer)
    const target = ['layer', layer] as const
    const details = { observations, access_points: accessPoints, cells }
    const auditRecord = { action: 'layer.relearned', target, organizationId, details }
    const row = auditRow(by, auditRecord, this.clock, this.randomness)
    await client.query(
      `INSERT INTO audit_log (id, organization_id, actor_kind, actor_credential_id, actor_user_id, actor_service, action, target, details, address, request_id, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        row.id,
        row.organizationId,
        row.actorKind,
        row.actorCredentialId,
        row.actorUserId,
        row.actorService,
        row.action,
        row.target,
        row.details,
        row.address,
        row.requestId,
        row.at,
      ],
    )
    const id = this.randomness.newId()
    const { subject } = accessPointsChanged
    await storeEvent(client, { id, subject, data: { id, organization_id: organizationId } }, this.clock.now())
  }
}
