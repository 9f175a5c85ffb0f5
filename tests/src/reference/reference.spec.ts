import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ERROR_CODES } from '@bearing/contracts/errors'
import { PERMISSIONS } from '@bearing/contracts/permission'
import { ROUTES } from '@bearing/contracts/routes'
import { expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'
import { may } from './callers.js'
import { referencePages } from './pages.js'

/** Prettier aligns columns, and writes emphasis and lines in its own way. */
const squeeze = (text: string) =>
  text
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/-+/g, '-')
    .replaceAll(/[*_]/g, '')

it('pages that follow from the code are up to date: run `npx pnpm generate`', async () => {
  for (const [path, text] of await referencePages())
    expect([path, squeeze(await readFile(join(ROOT, 'docs', path), 'utf8'))]).toEqual([path, squeeze(text)])
})

it('the reference contains every permission, route and error code', async () => {
  const pages = await referencePages()
  const rows = (path: string) => pages.get(path) ?? ''
  for (const permission of PERMISSIONS) expect(rows('permissions.md')).toContain(`\`${permission}\``)
  for (const name of Object.keys(ROUTES)) expect(rows('http-routes.md')).toContain(`\`${name}\``)
  for (const name of ERROR_CODES) expect(rows('errors/README.md')).toContain(`(${name}.md)`)
})

it('the table of permissions says what gateways decide', () => {
  expect(may('admin', 'organization-token:create')).toBe(true)
  expect(may('organization token', 'organization-token:create')).toBe(false)
  expect(may('project reader', 'device:read')).toBe(true)
  expect(may('project reader', 'device-data:read')).toBe(false)
  expect(may('bound token', 'access-point:import')).toBe(false)
  expect(may('project key', 'device:read')).toBe(false)
})
