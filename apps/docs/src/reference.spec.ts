import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERROR_CODES } from '@bearing/contracts/errors'
import { PERMISSIONS } from '@bearing/contracts/permission'
import { ROUTES } from '@bearing/contracts/routes'
import { expect, it } from '@jest/globals'
import { may } from './callers.js'
import { withList } from './lists.js'

const built = (page: string) => readFileSync(join(import.meta.dirname, '..', 'dist', 'pages', page), 'utf8')

it('the site that the gateway serves lists every permission, route, error code and resource of Terraform', () => {
  for (const permission of PERMISSIONS) expect(built('permissions.md')).toContain(`\`${permission}\``)
  for (const name of Object.keys(ROUTES)) expect(built('http-routes.md')).toContain(`\`${name}\``)
  for (const name of ERROR_CODES) expect(built('errors.md')).toContain(`(/docs/errors/${name})`)
  expect(built('terraform.md')).toContain('### bearing_project\n')
  expect(built('audit-actions.md')).toContain('`project_key.cycled`')
  expect(built('nats-operations.md')).toContain('## Streams')
  expect(built('command-line-reference.md')).toContain('### bearing projects create\n')
})

it('the site that the gateway serves lists every setting of the chart with its default', () => {
  const file = join(
    import.meta.dirname,
    '..',
    '..',
    '..',
    'deploy',
    'helm',
    'bearing',
    'files',
    'settings.json',
  )
  const services = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { plain: Record<string, string> }> // as `pnpm generate` writes it
  const rows = built('configuration.md')
    .split('\n')
    .map((line) => line.split(' | '))
  const listed = new Map(rows.map(([name = '', , value = '']) => [name.replaceAll(/[|` ]/g, ''), value]))
  const settings = Object.values(services).flatMap(({ plain }) => Object.entries(plain))
  expect(settings.length).toBeGreaterThan(40)
  for (const [name, value] of settings)
    expect([name, listed.get(name)]).toEqual([name, value === '' ? 'none' : `\`${value}\``])
})

it('a page without a place for its list is refused', () => {
  expect(withList('# Page\n\n<!-- list -->\n\nlater\n\n<!-- /list -->\n', 'rows')).toBe('# Page\n\nrows\n')
  expect(() => withList('# Page\n', 'rows')).toThrow('There is no place for the list.')
})

it('the table of permissions says what gateways decide', () => {
  expect(may('admin', 'organization-token:create')).toBe(true)
  expect(may('organization token', 'organization-token:create')).toBe(false)
  expect(may('project reader', 'device:read')).toBe(true)
  expect(may('project reader', 'device-data:read')).toBe(false)
  expect(may('bound token', 'access-point:import')).toBe(false)
  expect(may('project key', 'device:read')).toBe(false)
})
