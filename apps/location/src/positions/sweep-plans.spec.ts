import { planOf } from '@bearing/testing/plan-of'
import { testStack } from '@bearing/testing/stack'
import { expect, it } from '@jest/globals'
import { DELETE_POSITIONS } from './sweep-positions.js'

it.each([['device_positions', DELETE_POSITIONS, 'device_positions_project_id_at_idx']])(
  'expired rows of %s are found and deleted through indexes',
  async (table, statement, index) => {
    const plan = await planOf(testStack().databaseUrls.location, statement)
    expect(plan).toMatch(new RegExp(`Index Scan using \\S+ on ${table} gone`))
    expect(plan).toContain(index)
    expect(plan).not.toContain('Seq Scan')
  },
)
