import { deleteOldRows } from '@bearing/service/store/sweep-old-rows'
import { planOf } from '@bearing/testing/plan-of'
import { testStack } from '@bearing/testing/stack'
import { expect, it } from '@jest/globals'
import { OLD_COUNTS } from './sweep-request-usage.js'

it.each([
  [OLD_COUNTS[0], 'request_usage_day_idx'],
  [OLD_COUNTS[1], 'request_usage_reports_at_idx'],
] as const)('old rows are found and deleted through indexes: %j', async (rows, index) => {
  const plan = await planOf(testStack().databaseUrls.identity, deleteOldRows(rows))
  expect(plan).toMatch(new RegExp(`Index Scan using \\S+ on ${rows.table} gone`))
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
})
