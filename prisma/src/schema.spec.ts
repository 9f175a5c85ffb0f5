import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, jest } from '@jest/globals'
import { missingSql } from './missing-sql.js'
import { SERVICES } from './services.js'

jest.setTimeout(60_000)

const folderOf = (service: string) => join(import.meta.dirname, '..', service)
const written = SERVICES.filter((service) => existsSync(join(folderOf(service), 'schema.prisma')))

it.each(written)('the migrations of %s say what its schema says', async (service) => {
  expect(await missingSql(service, folderOf(service))).toBe('')
})
if (written.length === 0) it.todo('no service has a schema yet')
