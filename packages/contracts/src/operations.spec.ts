import { readdirSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { needsClaims, type Operation } from './operation.js'
import { ROUTES, type Route } from './routes.js'

/** Every operation by name. */
const OPERATIONS = await allOperations()
const ROUTED = Object.values(ROUTES) as Route[]

/** Operations that no device calls and that ignore unknown members, with the reason. */
const LENIENT_FOR_OTHERS = new Set([
  // OpenID Connect Core §4: providers add parameters to the address that starts a sign-on, and …
  'beginSignOn',
  // … RFC 6749 §4.1.2: to the one that ends it.
  'completeSignOn',
  // RFC 7644 lets clients send parameters that a server does not know.
  'readScim',
  'writeScim',
])

describe('unknown members of an input', () => {
  it('are ignored only where devices call the operation, or another protocol demands it', () => {
    const lenient = [...OPERATIONS].filter(([, operation]) => operation.lenient).map(([name]) => name)
    const ofDevices = [...OPERATIONS]
      .filter(([, operation]) => ROUTED.some((route) => route.operation === operation && route.device))
      .map(([name]) => name)
    expect(lenient.sort()).toEqual([...ofDevices, ...LENIENT_FOR_OTHERS].sort())
  })

  it.each([...OPERATIONS].filter(([, { lenient }]) => !lenient))(
    '%s: are refused at any depth, in the schema that gateway, services and clients share',
    (_, { input }) => {
      const open = objectsOf(input).filter(({ def }) => def.catchall === undefined)
      expect(open).toEqual([])
    },
  )

  it.each(ROUTED.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s: the fields that the gateway adds are known to the operation',
    (_, { path, operation, fixed, idempotencyKey }) => {
      const [input] = objectsOf(operation.input)
      const parameters = [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) =>
        name === 'organization' || name === 'project' ? `${name}_id` : name,
      )
      const added = [...parameters, ...Object.keys(fixed), ...(idempotencyKey ? ['idempotency_key'] : [])]
      expect(Object.keys(input?.shape ?? {})).toEqual(expect.arrayContaining(added))
    },
  )
})

/** Routes whose reply has a field that is named like a secret and is none. */
const NO_SECRET = new Map([
  ['cycleProjectKey', 'every member may read the project key'],
  ['requestKeyImport', 'likewise'],
  ['createDeviceKey', 'its key is a public one'],
  ['approveDeviceClaim', 'likewise'],
  ['previewDeviceDeletion', 'its token names the selection, and the preview may be repeated'],
  ['prepareUpload', 'an upload that nobody uses expires'],
  ['prepareDeviceUpload', 'likewise'],
])

it('every POST whose reply shows a secret once can be repeated: it takes an Idempotency-Key, and has the error', () => {
  const showing = Object.entries<Route>(ROUTES).filter(([name, { method, operation }]) => {
    const fields = objectsOf(operation.output).flatMap(({ shape }) => Object.keys(shape))
    const isSecret = fields.some((field) =>
      /^(?!has_)(?:.*_)?(?:secret|token|key|codes|password)$/.test(field),
    )
    return method === 'POST' && needsClaims(operation.permission) && isSecret && !NO_SECRET.has(name)
  })
  expect(showing.map(([name]) => name)).toEqual(expect.arrayContaining(['cycleUserKey', 'rotateWebhook']))
  const without = showing.filter(
    ([, { idempotencyKey, operation }]) =>
      !idempotencyKey || !operation.errors.includes('idempotency_conflict'),
  )
  expect(without.map(([name]) => name)).toEqual([])
})

/** Filters: null is none of their values, and leaving one out selects more. */
const FILTERS = new Set([
  'listDevices',
  'previewDeviceDeletion',
  'deleteDevices',
  'listFiles',
  'listCoredumps',
  'listOrganizationTokens',
])

describe('null', () => {
  it.each([...OPERATIONS].filter(([name]) => !FILTERS.has(name)))(
    '%s: is accepted for each optional field that the output writes as null',
    (_, { input, output }) => {
      const written = new Set(objectsOf(output).flatMap(({ shape }) => namesThat(shape, acceptsNull)))
      const refused = objectsOf(input).flatMap(({ shape }) =>
        namesThat(shape, (field) => field.safeParse(undefined).success && !acceptsNull(field)).filter(
          (name) => written.has(name),
        ),
      )
      expect(refused).toEqual([])
    },
  )
})

function acceptsNull(schema: z.ZodType): boolean {
  return schema.safeParse(null).success
}

function namesThat(shape: z.ZodRawShape, holds: (field: z.ZodType) => boolean): string[] {
  return Object.entries(shape)
    .filter(([, field]) => holds(field as z.ZodType)) // every field of a contract is one
    .map(([name]) => name)
}

/** The objects in a schema, the outermost first. */
function objectsOf(schema: unknown, seen = new Set<unknown>()): z.ZodObject[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  if (!(schema instanceof z.ZodType)) return Object.values(schema).flatMap((part) => objectsOf(part, seen))
  const { checks: _, ...parts } = schema.def as z.core.$ZodTypeDef & Record<string, unknown> // parts differ by kind
  return [...(schema instanceof z.ZodObject ? [schema] : []), ...objectsOf(parts, seen)]
}

async function allOperations(): Promise<ReadonlyMap<string, Operation>> {
  const found = new Map<string, Operation>()
  for (const folder of ['identity', 'management', 'location'])
    for (const file of readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: 'utf8' }))
      if (/^(?!.*\.spec\.).*\.[jt]s$/.test(file) && !file.endsWith('.d.ts'))
        for (const [name, value] of Object.entries(
          (await import(`./${folder}/${file}`)) as Record<string, unknown>, // a module
        ))
          if (isOperation(value)) found.set(name, value)
  return found
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'subject' in value && 'input' in value
}
