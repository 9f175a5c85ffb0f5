import { AuditDetails } from '@bearing/contracts/identity/audit/audit-log'
import type { Principal, Workload } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import type { Clock } from '../ground/clock.js'
import type { z } from 'zod'
import type { Randomness } from '../ground/randomness.js'

/** Longest text of a header that is written down, in characters. */
const MAX_LENGTH = 128

/** An anonymous caller, on a route that needs no credential. */
export const ANONYMOUS = { kind: 'anonymous' } as const

/** The caller that an audit event names. */
export type Actor = Principal | typeof ANONYMOUS

/** Further facts of an audit event: flat, small, and never a secret. Of a changed value also `<name>_before`. */
export type Details = Readonly<z.infer<typeof AuditDetails>>

/** One change, as the audit log records it. */
export interface AuditRecord<Action extends string = string> {
  /** `<noun>.<past participle>`. */
  readonly action: Action
  /** Kind and id of the target. */
  readonly target: readonly [kind: string, id: string]
  /** Left out where it happened in no organization. */
  readonly organizationId?: string | null
  /** Details of the change: the role that was given, the permissions and the end of a token. */
  readonly details?: Details
  /** Left out where it is the request that is being handled. */
  readonly requestId?: string
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
  readonly details: Details
  readonly address: string | null
  readonly requestId: string
  readonly at: Date
}

/**
 * Returns the row of an audit event, to be stored in the transaction that it is about. The actor is the principal of the
 * claims; IP address and request id are those of the call that is being handled.
 */
export function auditRow(by: Actor, record: AuditRecord, clock: Clock, randomness: Randomness): AuditRow {
  const call = currentCall()
  return {
    id: randomness.newId(),
    organizationId: record.organizationId ?? null,
    actorKind: workloadOf(by) ? 'workload' : by.kind,
    actorCredentialId: 'credential_id' in by ? by.credential_id : null,
    actorUserId: by.kind === 'user' ? by.user_id : null,
    actorService: by.kind === 'service' ? by.name : null,
    action: record.action,
    target: record.target.join(':'),
    details: AuditDetails.parse({
      ...(by.kind === 'device' && { device_serial: by.device_serial }),
      ...record.details,
      ...detailsOf(workloadOf(by)),
    }),
    address: call?.clientAddress === undefined ? null : storable(call.clientAddress),
    requestId: storable(record.requestId ?? call?.requestId ?? ''),
    at: clock.now(),
  }
}

function workloadOf(by: Actor): Workload | undefined {
  return 'workload' in by ? by.workload : undefined
}

/** The workload that acted, so that the audit log shows repository and run without the token. */
function detailsOf(workload: Workload | undefined): Details {
  if (!workload) return {}
  return {
    workload_trust: workload.trust_id,
    workload_issuer: workload.issuer,
    workload_subject: workload.subject,
    workload_claims: Object.entries(workload.claims).map(([name, value]) => `${name}=${value}`),
  }
}

/** Headers are texts from elsewhere: what Postgres would refuse, or what nobody would read, must not fail the write. */
export function storable(text: string): string {
  // After it was cut, since that may leave half a character.
  return text
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, MAX_LENGTH)
    .toWellFormed()
}
