import { deletionOf } from '@bearing/service/store/erase-rows'
import { planOf } from '@bearing/testing/plan-of'
import { primaryKeyOf } from '@bearing/testing/primary-key'
import { testStack } from '@bearing/testing/stack'
import { expect, it } from '@jest/globals'
import { SLUGS, TABLES } from './erase-own-data.js'

// By anything less than its key a batch would delete more rows than were chosen.
it.each([...new Set([...TABLES, SLUGS])])(
  'rows of $table are erased by their primary key',
  async ({ table, key = ['id'] }) => {
    expect([...key].sort()).toEqual((await primaryKeyOf(testStack().databaseUrls.management, table)).sort())
  },
)

it.each([...TABLES, SLUGS])('rows of $table are deleted through an index', async (rows) => {
  const plan = await planOf(testStack().databaseUrls.management, deletionOf(rows))
  // Of chunks: those of each partition.
  const table = rows.table === 'device_chunks' ? '(?:device_)?chunks\\w*' : rows.table
  expect(plan).toMatch(new RegExp(`Index Scan using \\S+ on ${table} gone`))
  expect(plan).not.toMatch(new RegExp(`Seq Scan on ${table} gone`))
})
