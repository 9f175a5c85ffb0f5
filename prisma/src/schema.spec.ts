import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { missingSql } from './missing-sql.js'
import { SERVICES } from './services.js'

const folderOf = (service: string) => join(import.meta.dirname, '..', service)

it.each(SERVICES)('the migrations of %s say what its schema says', async (service) => {
  expect(await missingSql(service, folderOf(service))).toBe('')
})
