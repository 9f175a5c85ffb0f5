import { planOf } from '@bearing/testing/plan-of'
import { testStack } from '@bearing/testing/stack'
import { expect, it } from '@jest/globals'
import { DELETE_COUNTS, DELETE_HOURS } from './sweep-usage.js'

it.each([
  ['project_usage', DELETE_COUNTS, 'project_usage_day_idx'],
  ['project_hours', DELETE_HOURS, 'project_hours_hour_idx'],
])('expired rows of %s are found and deleted through indexes', async (table, statement, index) => {
  const plan = await planOf(testStack().databaseUrls.management, statement)
  expect(plan).toMatch(new RegExp(`Index Scan using \\S+ on ${table} gone`))
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
})
