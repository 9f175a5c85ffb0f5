import { deleteOldRows } from '@bearing/service/store/sweep-old-rows'
import { planOf } from '@bearing/testing/plan-of'
import { testStack } from '@bearing/testing/stack'
import { expect, it } from '@jest/globals'
import { OLD_CHANGES } from './access-points/sweep-layer-changes.js'
import { OLD_COUNTS } from './usage/sweep-lookup-usage.js'

it.each([
  // Postgres 18 may skip through the primary key while there are few organizations.
  [OLD_COUNTS, /lookup_hours_(?:hour_idx|pkey)/],
  [OLD_CHANGES, /layer_changes_changed_at_idx/],
] as const)('old rows are found and deleted through indexes: %j', async (rows, index) => {
  const plan = await planOf(testStack().databaseUrls.location, deleteOldRows(rows))
  expect(plan).toMatch(new RegExp(`Index Scan using \\S+ on ${rows.table} gone`))
  expect(plan).toMatch(index)
  expect(plan).not.toContain('Seq Scan')
})
