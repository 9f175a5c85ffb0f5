import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Injectable } from '@nestjs/common'
import { Clock } from '../clock.js'
import type { Transaction } from '../database.js'
import { Identifiers } from '../identifiers.js'
import { organizationOf } from '../layer.js'

/** One thing that was done to an import by somebody. What the service does by itself: `commit-transaction.ts`. */
export interface Deed {
  readonly action: 'access_point_import.begun' | 'access_point_import.submitted'
  readonly importId: string
  readonly layer: string
}

/** Writes down who did what, in the transaction that did it. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly clock: Clock,
    private readonly identifiers: Identifiers,
  ) {}

  /** Writes one row. The actor is the principal of the claims; address and request id are those of the call. */
  async record(transaction: Transaction, by: Principal, { action, importId, layer }: Deed): Promise<void> {
    const call = currentCall()
    await transaction.auditEntry.create({
      data: {
        id: this.identifiers.newId(),
        organizationId: organizationOf(layer),
        ...actor(by),
        action,
        target: `access_point_import:${importId}`,
        address: call?.clientAddress === undefined ? null : storable(call.clientAddress),
        requestId: storable(call?.requestId ?? ''),
        at: this.clock.now(),
      },
    })
  }
}

function actor(by: Principal) {
  return {
    actorKind: by.kind,
    actorCredentialId: by.kind === 'service' ? null : by.credential_id,
    actorUserId: by.kind === 'user' ? by.user_id : null,
    actorService: by.kind === 'service' ? by.name : null,
  }
}

/** Headers are texts from elsewhere: what Postgres would refuse, or what nobody would read, must not fail the write. */
export function storable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '').slice(0, 128)
}
