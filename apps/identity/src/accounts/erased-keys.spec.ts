import { deletionOf } from '@bearing/service/store/erase-rows'
import { planOf } from '@bearing/testing/plan-of'
import { primaryKeyOf } from '@bearing/testing/primary-key'
import { testStack } from '@bearing/testing/stack'
import { expect, it } from '@jest/globals'
import { ORGANIZATION, PROJECT } from './erase-tenant.js'

// By anything less than its key a batch would delete more rows than were chosen.
it.each([...new Set([...ORGANIZATION, ...PROJECT])])(
  'rows of $table are erased by their primary key',
  async ({ table, key = ['id'] }) => {
    expect([...key].sort()).toEqual((await primaryKeyOf(testStack().databaseUrls.identity, table)).sort())
  },
)

it.each([...ORGANIZATION, ...PROJECT])('rows of $table are deleted through an index', async (rows) => {
  const plan = await planOf(testStack().databaseUrls.identity, deletionOf(rows))
  expect(plan).toMatch(new RegExp(`Index Scan using \\S+ on ${rows.table} gone`))
})
