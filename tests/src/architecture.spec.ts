import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Operation } from '@bearing/contracts/operation'
import { ROUTES } from '@bearing/contracts/routes'
import { beforeAll, describe, expect, it } from '@jest/globals'

// What eslint and dependency-cruiser cannot see: rules about files as a whole, and between contracts and services.

const ROOT = join(import.meta.dirname, '..', '..')
const find = (...patterns: string[]) =>
  globSync(patterns, { cwd: ROOT, exclude: (path) => /node_modules|generated|dist/.test(path) }).sort()
const SOURCES = find(
  '{apps,packages}/*/src/**/*.ts',
  '{packages/client/nats,prisma,tests,bench,deploy/local}/src/**/*.ts',
)
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Operations of the contracts, by the name they are exported under. */
const operations = new Map<string, Operation>()
/** Files that hold a handler, and the names of the operations they handle. */
const handlers = SOURCES.filter((path) => path.startsWith('apps/') && !path.endsWith('.spec.ts')).flatMap(
  (path) => [...read(path).matchAll(/@Handle\((\w+)\)/g)].map(([, name = '']) => ({ path, name })),
)

beforeAll(async () => {
  for (const path of find('packages/contracts/src/*/*.ts').filter((file) => !file.endsWith('.spec.ts'))) {
    const compiled = join(ROOT, path.replace('/src/', '/dist/').replace(/\.ts$/, '.js'))
    const exported = (await import(pathToFileURL(compiled).href)) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported))
      // What the gateway stores in a stream has no handler: it is worked off.
      if (isOperation(value) && value.stored !== true) operations.set(name, value)
  }
})

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'subject' in value && 'permission' in value
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

describe('files', () => {
  it('have names in kebab-case', () => {
    const named = SOURCES.filter((path) => !/^[a-z0-9-]+(\.module|\.spec)?\.ts$/.test(basename(path)))
    expect(named).toEqual([])
  })
})

describe('operations', () => {
  it('have subjects of their own, each with the service, the version and what is done', () => {
    const subjects = [...operations.values()].map((operation) => operation.subject)
    expect(new Set(subjects).size).toBe(subjects.length)
    for (const subject of subjects)
      expect(subject).toMatch(/^(identity|management|location)\.v\d+(\.[a-z-]+){1,2}$/)
  })

  it('are each handled in one place, by the service that their subject names', () => {
    const handled = handlers.map(({ name, path }) => `${path.split('/')[1] ?? ''} handles ${name}`).sort()
    const declared = [...operations]
      .map(([name, { subject }]) => `${subject.split('.')[0] ?? ''} handles ${name}`)
      .sort()
    expect(handled).toEqual(declared)
  })

  it('are each handled by a file of their name, or of the verb and noun of their subject', () => {
    const misnamed = handlers.filter(({ name, path }) => {
      const [, , noun = '', verb = ''] = operations.get(name)?.subject.split('.') ?? []
      return ![`${kebab(name)}.ts`, `${verb}-${noun}.ts`].includes(basename(path))
    })
    expect(misnamed).toEqual([])
  })
})

describe('routes', () => {
  it('have addresses of their own', () => {
    const addresses = Object.values(ROUTES).map(
      ({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`,
    )
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  it('all lead to operations that ask for a permission', () => {
    expect(
      Object.values(ROUTES).filter(({ operation }) => (operation as Operation).permission === 'internal'),
    ).toEqual([])
  })
})
