import { deleteOldRows } from '@bearing/service/store/sweep-old-rows'
import { planOf } from '@bearing/testing/plan-of'
import { testStack } from '@bearing/testing/stack'
import { expect, it } from '@jest/globals'
import { EXPIRED_ROWS } from './sweep-expired-records.js'

it.each([
  [EXPIRED_ROWS[0], 'sessions_ends_at_idx'],
  [EXPIRED_ROWS[1], 'totps_created_at_idx'],
  [EXPIRED_ROWS[2], 'email_changes_expires_at_idx'],
  [EXPIRED_ROWS[3], 'login_requests_expires_at_idx'],
  [EXPIRED_ROWS[4], 'organization_tokens_expires_at_idx'],
  [EXPIRED_ROWS[5], 'project_key_devices_hour_idx'],
  [EXPIRED_ROWS[6], 'workload_assertions_expires_at_idx'],
  [EXPIRED_ROWS[7], 'device_keys_expires_at_idx'],
  [EXPIRED_ROWS[8], 'device_claims_expires_at_idx'],
  [EXPIRED_ROWS[9], 'onboarding_tokens_expires_at_idx'],
  [EXPIRED_ROWS[10], 'audit_checkpoints_at_idx'],
  [EXPIRED_ROWS[11], 'idempotent_calls_created_at_idx'],
] as const)('old rows are found and deleted through indexes: %j', async (rows, index) => {
  const plan = await planOf(testStack().databaseUrls.identity, deleteOldRows(rows))
  expect(plan).toMatch(new RegExp(`Index Scan using \\S+ on ${rows.table} gone`))
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
})
