import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Injectable } from '@nestjs/common'
import { Clock } from '../clock.js'
import type { Transaction } from '../database.js'
import { Randomness } from '../randomness.js'

/** What can be done here: `<noun>.<past participle>`. */
export type Action =
  | 'user.created'
  | 'user_key.cycled'
  | 'user_key.deleted'
  | 'organization_token.created'
  | 'organization_token.deleted'
  | 'project_key.created'
  | 'project_key.cycled'
  | 'membership.granted'
  | 'organization.founded'

/** One thing that was done. */
export interface Deed {
  readonly action: Action
  /** Kind and id of what it was done to. */
  readonly target: readonly [kind: string, id: string]
  /** Left out where it happened in no organization. */
  readonly organizationId?: string
}

/** Writes down who did what, in the transaction that did it. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Writes one row. The actor is the principal of the claims; address and request id are those of the call. */
  async record(transaction: Transaction, by: Principal, deed: Deed): Promise<void> {
    const call = currentCall()
    await transaction.auditEntry.create({
      data: {
        id: this.randomness.newId(),
        organizationId: deed.organizationId ?? null,
        ...actor(by),
        action: deed.action,
        target: deed.target.join(':'),
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
function storable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '').slice(0, 128)
}
