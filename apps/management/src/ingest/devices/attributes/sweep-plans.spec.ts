import { planOf } from '@bearing/testing/plan-of'
import { testStack } from '@bearing/testing/stack'
import { expect, it } from '@jest/globals'
import { DELETE_VALUES } from './sweep-attributes.js'

it.each([['device_attributes', DELETE_VALUES, 'device_attributes_project_id_number_value_serial_idx']])(
  'expired rows of %s are found and deleted through indexes',
  async (table, statement, index) => {
    const plan = await planOf(testStack().databaseUrls.management, statement)
    expect(plan).toMatch(new RegExp(`Index Scan using \\S+ on ${table} gone`))
    expect(plan).toContain(index)
    expect(plan).not.toContain('Seq Scan')
  },
)
