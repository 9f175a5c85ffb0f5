import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Operation } from '@bearing/contracts/operation'
import { ROUTES } from '@bearing/contracts/routes'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

// Rules that eslint and dependency-cruiser cannot check: about files as a whole, and between contracts and services.

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
  for (const path of find('packages/contracts/src/*/**/*.ts').filter((file) => !file.endsWith('.spec.ts'))) {
    const compiled = join(ROOT, path.replace('/src/', '/dist/').replace(/\.ts$/, '.js'))
    const exported = (await import(pathToFileURL(compiled).href)) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported))
      // Messages that the gateway stores in a stream have no handler: a queue consumer processes them.
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

  it('of the journeys are in folders by subject', () => {
    const files = readdirSync(join(ROOT, 'tests', 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(files.map(({ name }) => name)).toEqual([])
  })

  it('name rows by their keys: other servers that speak SQL have neither ctid nor xmin', () => {
    const services = SOURCES.filter((path) => !path.endsWith('.spec.ts'))
    expect(services.filter((path) => /\b(?:ctid|xmin)\b/.test(read(path)))).toEqual([])
  })
})

/** Files directly under `src` of a service; folders are wings, or one of these. */
const NOT_WINGS = ['generated', 'testing']
const filesOf = (app: string) => [
  'config.ts',
  'config.spec.ts',
  'main.ts',
  `run-${app}.ts`,
  `run-${app}.spec.ts`,
  `${app}.module.ts`,
]
/** A paragraph has at least so many characters. */
const PARAGRAPH = 150

interface ImportRule {
  readonly name?: string
}
const cruiser = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as {
  readonly forbidden: readonly ImportRule[]
}
const rules = new Set(cruiser.forbidden.map(({ name }) => name))

describe.each(['gateway', 'identity', 'management', 'location'])('the source folder of %s', (app) => {
  const src = join(ROOT, 'apps', app, 'src')
  const entries = readdirSync(src, { withFileTypes: true })
  const wings = entries
    .filter((entry) => entry.isDirectory() && !NOT_WINGS.includes(entry.name))
    .map(({ name }) => name)
    .sort()

  it('has wings, and few files beside them', () => {
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    expect(filesOf(app)).toEqual(expect.arrayContaining(files))
  })

  it('has a rule for the imports of each wing, and none for other folders', () => {
    const ruled = [...rules].flatMap(
      (name) => new RegExp(`^${app}-(.+)-imports-down$`).exec(name ?? '')?.[1] ?? [],
    )
    expect(ruled.sort()).toEqual(wings)
  })

  it('has a module in each wing, with a paragraph about it', () => {
    const silent = wings.filter((wing) => {
      const path = join(src, wing, `${wing}.module.ts`)
      if (!existsSync(path)) return true
      const [, comment = ''] =
        /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:@\w+\([^]*?\)\s*)*export class \w+/.exec(
          readFileSync(path, 'utf8'),
        ) ?? []
      return comment.replaceAll(/[\s*]+/g, ' ').length < PARAGRAPH
    })
    expect(silent).toEqual([])
  })
})

/** Lines that a file with a handler may have. */
const OPERATION_LINES = 150

/** Operations whose published names have an older verb than their files. */
const OLDER_VERBS = new Set(['foundOrganization', 'foundPartnerTeam', 'askPartnerLink', 'refusePartnerLink'])

describe('operations', () => {
  it('have unique subjects, each with the service, the version and the action', () => {
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
      if (OLDER_VERBS.has(name)) return false
      const [, , noun = '', verb = ''] = operations.get(name)?.subject.split('.') ?? []
      return ![`${kebab(name)}.ts`, `${verb}-${noun}.ts`].includes(basename(path))
    })
    expect(misnamed).toEqual([])
  })
})

describe('operation files', () => {
  it(`have at most ${OPERATION_LINES} lines`, () => {
    const long = [...new Set(handlers.map(({ path }) => path))].filter(
      (path) => read(path).split('\n').length > OPERATION_LINES + 1,
    )
    expect(long).toEqual([])
  })
})

describe('routes', () => {
  it('have paths of their own', () => {
    const paths = Object.values(ROUTES).map(
      ({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`,
    )
    expect(new Set(paths).size).toBe(paths.length)
  })

  it('all lead to operations that ask for a permission', () => {
    expect(
      Object.values(ROUTES).filter(({ operation }) => (operation as Operation).permission === 'internal'),
    ).toEqual([])
  })
})
