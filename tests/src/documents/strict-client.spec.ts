import { ERRORS } from '@bearing/contracts/errors'
import { pathTemplate } from '@bearing/contracts/route'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { SUBJECT_TOKEN_TYPES, TOKEN_EXCHANGE } from '@bearing/contracts/identity/workloads/token-exchange'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { byPassword } from '../authorization/authorization-callers.js'
import { gatewayUrl, Matrix } from '../authorization/authorization-matrix.js'
import { CLOSED, EXPECTED } from '../authorization/authorization-table.js'
import { CODES } from '../authorization/expected-codes.js'
import { headersOf, send } from '../tools/http.js'
import { commit, prepare, put } from '../tools/uploading.js'
import { generateClient, type Call, type Calls } from '../tools/strict-client.js'

interface Media {
  readonly schema: object
}
interface OpenApi {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, Media> }> }>
  >
}
interface Exchange {
  readonly status: number
  readonly media: string
  readonly text: string
}

const NAMES = Object.keys(ROUTES) as RouteName[]
/** They change what the other calls use. */
const LAST: readonly RouteName[] = [
  'deleteUserKey',
  'deleteOwnAccount',
  'deleteOrganization',
  'cycleProjectKey',
]
const SCAN = [
  { macAddress: '02:00:00:00:00:10', signalStrength: -50 },
  { macAddress: '02:00:00:00:02:00', signalStrength: -60 },
]
/** Ends of the names of calls that are refused. */
const ANONYMOUS = 'Anonymous'
const REFUSED = 'Refused'
/** Bodies of routes that are not in the authorization matrix, or whose body is not JSON. */
const MORE_BODIES: Partial<Record<RouteName, unknown>> = {
  geolocate: { wifiAccessPoints: SCAN },
  geosubmit: { items: [{ position: { latitude: 48, longitude: 11 }, wifiAccessPoints: SCAN }] },
  sendChunks: 'a chunk',
  receiveUpload: 'content',
  logOutAtProvider: { logout_token: 'no token' },
  exchangeToken: {
    grant_type: TOKEN_EXCHANGE,
    subject_token: 'no token',
    subject_token_type: SUBJECT_TOKEN_TYPES[0],
  },
}

describe('a strict client generated from the API reference', () => {
  let openApi: OpenApi
  let mistakes: readonly string[]
  let calls: Calls
  const exchanges: Exchange[] = []
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })

  beforeAll(async () => {
    openApi = (await send(gatewayUrl(), 'GET', '/openapi.json')).json as unknown as OpenApi // checked by its own spec
    ajv.addSchema({ $id: 'bearing', ...openApi }, 'bearing')
    const matrix = await Matrix.create()
    const requests: Call[] = []
    for (const name of [...NAMES.filter((name) => !LAST.includes(name)), ...LAST]) {
      const call = await callOf(name, matrix)
      const by = async (caller: string, credential: PresentedCredential | undefined) => {
        const { parameters, body } = await matrix.requestOf(name, matrix.own.slug, matrix.own.project.slug)
        const path = pathOf(name, parameters)
        const headers = { ...headersOf(credential), ...contentTypeOf(name) }
        requests.push({ ...call, name: name + caller, path, body: MORE_BODIES[name] ?? body, headers })
      }
      requests.push(call)
      await by(ANONYMOUS, undefined)
      const refused = refusedCallerOf(name)
      if (refused === 'outsider') await by(REFUSED, matrix.other.admin.credential)
      else if (refused !== undefined) await by(REFUSED, await matrix.credentialFor(refused))
    }
    const generated = await generateClient(openApi, requests, gatewayUrl(), async (request) => {
      const response = await fetch(request, { redirect: 'manual' })
      const text = await response.text()
      const { status, headers } = response
      exchanges.push({ status, media: headers.get('content-type')?.split(';')[0] ?? '', text })
      return new Response(text === '' ? null : text, { status, headers })
    })
    mistakes = generated.mistakes
    calls = generated.calls
  })

  it('compiles', () => {
    expect(mistakes).toEqual([])
  })

  it('calls every route of the reference', () => {
    const described = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const called = NAMES.filter((name) => calls[name]).map((name) => {
      const route: Route = ROUTES[name]
      return `${route.method} ${pathTemplate(route).template}`
    })
    expect(called.sort()).toEqual(described.sort())
  })

  it.each(CLOSED)('%s without a credential: 401, with exactly the declared fields', async (name) => {
    expect(await call(name, ANONYMOUS)).toMatchObject({ status: 401 })
  })

  it.each(NAMES.filter((name) => !CLOSED.includes(name)))(
    '%s without a credential: a declared status, with exactly the declared fields',
    (name) => call(name, ANONYMOUS),
  )

  it('is refused by every route of an organization', () => {
    const never = NAMES.filter((name) => refusedCallerOf(name) === undefined)
    expect(never.filter((name) => ROUTES[name].path.includes(':organization'))).toEqual([])
  })

  it.each(NAMES.filter((name) => refusedCallerOf(name) !== undefined))(
    '%s for a caller without permission: 403 or 404, with exactly the declared fields',
    async (name) => {
      const { status } = await call(name, REFUSED)
      expect([403, 404]).toContain(status)
    },
  )

  it.each([...NAMES.filter((name) => !LAST.includes(name)), ...LAST])(
    '%s: the response has a declared status and type, and exactly the declared fields',
    async (name) => {
      const { status, text } = await call(name)
      if (isExpectedToSucceed(name))
        expect({ name, status, text }).toMatchObject({ status: ROUTES[name].status })
    },
  )

  /** Makes a call, and checks the response against the reference. */
  async function call(
    name: RouteName,
    caller: '' | typeof ANONYMOUS | typeof REFUSED = '',
  ): Promise<Exchange> {
    exchanges.length = 0
    await calls[name + caller]?.()
    const exchange = exchanges[0] ?? { status: 0, media: '', text: '' }
    const { status, media, text } = exchange
    const route: Route = ROUTES[name]
    const [template, method] = [pathTemplate(route).template, route.method.toLowerCase()]
    const { responses = {} } = openApi.paths[template]?.[method] ?? {}
    expect({ name, status, declared: Object.keys(responses) }).toMatchObject({
      declared: expect.arrayContaining([String(status)]),
    })
    const { content } = responses[String(status)] ?? {}
    if (!content || (status === 302 && text === '')) {
      expect(text).toBe('')
      return exchange
    }
    expect(Object.keys(content)).toContain(media)
    const pointer = ['paths', template, method, 'responses', String(status), 'content', media, 'schema']
    const validate = ajv.compile({ $ref: `bearing#/${pointer.map(escaped).join('/')}` })
    if (!media.includes('json')) return exchange
    for (const line of media === 'application/x-ndjson' ? text.split('\n').filter(Boolean) : [text]) {
      validate(JSON.parse(line))
      expect({ name, errors: validate.errors ?? [], line }).toMatchObject({ errors: [] })
    }
    return exchange
  }
})

async function callOf(name: RouteName, matrix: Matrix): Promise<Call> {
  // Deleted, so other calls cannot use it.
  const own = name === 'deleteOrganization' ? await newOrganization() : matrix.own
  const { parameters, body } = await matrix.requestOf(name, own.slug, own.project.slug)
  const credential =
    name === 'deleteOrganization'
      ? own.admin.credential
      : name === 'deleteOwnAccount'
        ? byPassword(await newMember(own, 'member'))
        : await matrix.credentialFor(callerOf(name))
  return {
    name,
    route: name,
    path: pathOf(name, { ...parameters, ...(await objectsOf(name, matrix)) }),
    query: {},
    body: MORE_BODIES[name] ?? body,
    headers: { ...headersOf(credential), ...contentTypeOf(name) },
  }
}

/** Returns the parameters of a path as the reference names them. */
function pathOf(name: RouteName, values: Readonly<Record<string, string>>): Call['path'] {
  const fields = [...pathTemplate(ROUTES[name]).fields]
  return Object.fromEntries(
    fields.map(([parameter, field]) => [parameter, field === 'batch' ? 0 : (values[field] ?? '')]),
  )
}

function contentTypeOf(name: RouteName): Record<string, string> {
  const route: Route = ROUTES[name]
  if (route.dialect === 'oauth') return { 'content-type': 'application/x-www-form-urlencoded' }
  return route.bytes ? { 'content-type': 'application/octet-stream' } : {}
}

/** Returns the ids of objects that exist, where the matrix asks for those that do not. */
async function objectsOf(name: RouteName, { own }: Matrix): Promise<Record<string, string>> {
  const at = { organization: own.slug, project: own.project.slug }
  const { path } = ROUTES[name]
  // Its test would leave this machine.
  if (path.includes(':webhook_id') && name !== 'testWebhook') {
    const { id } = await own.token.client.call('createWebhook', { ...at, url: 'https://hooks.example.com/' })
    return { webhook_id: id }
  }
  if (!path.includes(':file_id')) return {}
  const project = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
  const target = { gateway: gatewayUrl(), project, credential: own.token.credential }
  const prepared = await prepare(target, { kind: 'coredump', size: 4 })
  await put(prepared, Buffer.from(name.slice(0, 4)))
  const body = { file: { token: prepared.token, name }, device: { device_serial: 'STRICT-1' } }
  const committed = await commit(target, `${project}/coredumps`, body)
  return { file_id: (committed.json?.data as { id: string }).id }
}

/** Returns a caller that the authorization matrix expects to succeed, if there is one. */
function callerOf(name: RouteName): string {
  const expected = [...(EXPECTED.get(name) ?? [])]
  const [succeeds] = expected.find(([, outcome]) => outcome === 'ok') ?? []
  return succeeds ?? (ROUTES[name].device ? 'key' : 'admin')
}

/**
 * Returns a caller that the route refuses with 403 or 404: of the authorization matrix, or the admin of another organization.
 * Undefined if it refuses nobody.
 */
function refusedCallerOf(name: RouteName): string | undefined {
  const refused = [...(EXPECTED.get(name) ?? [])].find(([, outcome = 'ok']) => {
    const code = CODES[outcome]
    return code !== undefined && [403, 404].includes(ERRORS[code].status)
  })
  if (refused) return refused[0]
  return ROUTES[name].path.includes(':organization') ? 'outsider' : undefined
}

function isExpectedToSucceed(name: RouteName): boolean {
  if (/:(?:webhook|file)_id/.test(ROUTES[name].path)) return name !== 'testWebhook'
  return [...(EXPECTED.get(name)?.values() ?? [])].includes('ok')
}

/** Escapes a part of a JSON pointer in a URI fragment (RFC 6901). */
function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
