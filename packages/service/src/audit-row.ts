import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import type { Clock } from './clock.js'
import type { Randomness } from './randomness.js'

/** Longest text of a header that is written down, in characters. */
const MAX_LENGTH = 128

/** One thing that was done. */
export interface Deed<Action extends string = string> {
  /** `<noun>.<past participle>`. */
  readonly action: Action
  /** Kind and id of what it was done to. */
  readonly target: readonly [kind: string, id: string]
  /** Left out where it happened in no organization. */
  readonly organizationId?: string | null
}

/** A row of a service's `audit_log`. */
export interface AuditRow {
  readonly id: string
  readonly organizationId: string | null
  readonly actorKind: string
  readonly actorCredentialId: string | null
  readonly actorUserId: string | null
  readonly actorService: string | null
  readonly action: string
  readonly target: string
  readonly address: string | null
  readonly requestId: string
  readonly at: Date
}

/**
 * What is written down of a deed, to be stored in the transaction that does it. The actor is the principal of the claims;
 * address and request id are those of the call that is being handled.
 */
export function auditRow(by: Principal, deed: Deed, clock: Clock, randomness: Randomness): AuditRow {
  const call = currentCall()
  return {
    id: randomness.newId(),
    organizationId: deed.organizationId ?? null,
    actorKind: by.kind,
    actorCredentialId: by.kind === 'service' ? null : by.credential_id,
    actorUserId: by.kind === 'user' ? by.user_id : null,
    actorService: by.kind === 'service' ? by.name : null,
    action: deed.action,
    target: deed.target.join(':'),
    address: call?.clientAddress === undefined ? null : storable(call.clientAddress),
    requestId: storable(call?.requestId ?? ''),
    at: clock.now(),
  }
}

/** Headers are texts from elsewhere: what Postgres would refuse, or what nobody would read, must not fail the write. */
export function storable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '').slice(0, MAX_LENGTH)
}
