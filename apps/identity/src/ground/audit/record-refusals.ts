import { recordRefusals } from '@bearing/contracts/identity/audit/audit-log'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { storable, type AuditRow } from '@bearing/service/audit/audit-row'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { appendOnce } from './audit-chain.js'

type Refusal = Input<typeof recordRefusals>['refusals'][number]

@Controller()
export class RecordRefusals {
  constructor(private readonly database: Database) {}

  /** Each in its own transaction: chains are locked as briefly as possible. */
  @Handle(recordRefusals)
  async execute({ refusals }: Input<typeof recordRefusals>): Promise<Output<typeof recordRefusals>> {
    for (const refusal of refusals)
      await this.database.transaction((transaction) => appendOnce(transaction, toRow(refusal), 'gateway'))
    return {}
  }
}

function toRow(refusal: Refusal): AuditRow {
  return {
    id: refusal.id,
    organizationId: refusal.organization_id,
    actorKind: refusal.actor_kind,
    actorCredentialId: refusal.actor_credential_id,
    actorUserId: refusal.actor_user_id,
    actorService: null,
    action: refusal.rule === 'permission_denied' ? 'administration.refused' : 'access.refused',
    target: `organization:${refusal.organization_id}`,
    details: {
      ...(refusal.permissions ? { permissions: refusal.permissions } : { rule: refusal.rule }),
      ...{ count: refusal.count, first_at: refusal.first_at },
    },
    address: storable(refusal.address),
    requestId: storable(refusal.request_id),
    at: new Date(refusal.last_at),
  }
}
