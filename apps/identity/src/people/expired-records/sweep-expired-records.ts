import { DAY_MS } from '@bearing/contracts/durations'
import { Clock } from '@bearing/service/ground/clock'
import { OLD_CALLS } from '@bearing/service/store/idempotent-calls'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { type OldRows, SweepOldRows } from '@bearing/service/store/sweep-old-rows'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'

const INTERVAL_MS = 60_000
/** Time for which the devices of an hour are kept after its start, in milliseconds: 25 hours. */
const SKETCHES_KEPT_MS = 90_000_000

export const EXPIRED_ROWS = [
  // Kept for a day, so that their users learn that they have expired.
  { table: 'sessions', key: ['id'], where: 'ends_at <= $1::timestamptz', keptMs: DAY_MS },
  {
    table: 'totps',
    key: ['user_id'],
    where: 'confirmed_at IS NULL AND created_at <= $1::timestamptz',
    keptMs: DAY_MS,
  },
  { table: 'email_changes', key: ['user_id'], where: 'expires_at <= $1::timestamptz', keptMs: 0 },
  { table: 'login_requests', key: ['id'], where: 'expires_at <= $1::timestamptz', keptMs: 0 },
  // Derived tokens are many and short-lived. The audit log keeps that they existed.
  {
    table: 'organization_tokens',
    key: ['id'],
    where: 'cardinality(ancestors) > 0 AND expires_at <= $1::timestamptz',
    keptMs: 7 * DAY_MS,
  },
  {
    table: 'project_key_devices',
    key: ['key_id', 'hour'],
    where: 'hour <= $1::timestamptz',
    keptMs: SKETCHES_KEPT_MS,
  },
  {
    table: 'workload_assertions',
    key: ['trust_id', 'jti_hash'],
    where: 'expires_at <= $1::timestamptz',
    keptMs: 0,
  },
  { table: 'device_keys', key: ['id'], where: 'expires_at <= $1::timestamptz', keptMs: DAY_MS },
  { table: 'device_claims', key: ['id'], where: 'expires_at <= $1::timestamptz', keptMs: 0 },
  { table: 'onboarding_tokens', key: ['id'], where: 'expires_at <= $1::timestamptz', keptMs: 7 * DAY_MS },
  // Of each day before the last 24 hours, the last one stays. The bound keeps the sweep from reading those again.
  {
    table: 'audit_checkpoints',
    key: ['chain', 'size'],
    where: `at <= $1::timestamptz AND at > $1::timestamptz - interval '3 days' AND EXISTS (
      SELECT FROM audit_checkpoints AS later (later_chain, later_size, later_hash, later_note, later_at)
      WHERE later_chain = chain AND later_size > size AND later_at < date_trunc('day', at, 'UTC') + interval '1 day')`,
    keptMs: DAY_MS,
  },
  OLD_CALLS,
] as const satisfies OldRows[]

/**
 * Deletes sessions that expired a day ago, derived and exchanged tokens that expired a week ago, logins and changes of email addresses that have expired, authenticators that were not confirmed within a day, the devices of project
 * keys by hour, exchanged tokens of workloads, replaced keys of devices a day after their grace period, claims of devices, onboarding tokens that expired a week ago, former checkpoints of the audit log, and replies to calls with an `Idempotency-Key`. They were of no use anymore, so no event is needed.
 */
@Injectable()
export class SweepExpiredRecords extends SweepOldRows {
  constructor(database: Database, clock: Clock, @Inject(LOGGER) logger: Logger) {
    super(
      { database, clock, logger },
      { what: 'expired records', intervalMs: INTERVAL_MS, rows: EXPIRED_ROWS },
    )
  }
}
