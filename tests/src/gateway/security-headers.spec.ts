import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'
import { sendRaw } from '../tools/raw-http.js'

const NOSNIFF = 'x-content-type-options'

/** One of each kind of reply: status, method, path, credential and body. */
type Kind = readonly [
  status: number,
  method: string,
  path: (own: TestOrganization) => string,
  credential?: (own: TestOrganization) => PresentedCredential | undefined,
  body?: unknown,
]

const token = (own: TestOrganization) => own.token.credential
const KINDS: readonly Kind[] = [
  [200, 'GET', (own) => `/api/v0/organizations/${own.slug}/projects`, token],
  [200, 'HEAD', (own) => `/api/v0/organizations/${own.slug}/projects`, token],
  [
    201,
    'POST',
    (own) => `/api/v0/organizations/${own.slug}/projects`,
    (own) => own.admin.credential,
    { name: 'p' },
  ],
  [400, 'POST', (own) => `/api/v0/organizations/${own.slug}/projects`, (own) => own.admin.credential, '{'],
  [401, 'GET', () => '/auth/me'],
  [403, 'GET', (own) => `/api/v0/organizations/${own.slug}/auth_tokens`, token],
  [404, 'GET', () => '/there/is/nothing'],
  [400, 'GET', () => '/%zz'],
  [405, 'DELETE', () => '/auth/me'],
  [
    400,
    'POST',
    (own) => `/api/v0/upload/coredump?${own.slug}`,
    (own) => ({ kind: 'project_key', key: own.project.key }),
  ],
  [403, 'PUT', () => '/api/v0/uploads/wrong'],
  [200, 'GET', () => '/docs'],
  [200, 'GET', () => '/docs/api'],
  [404, 'GET', () => '/docs/there/is/nothing'],
  [200, 'GET', () => '/docs/errors/internal'],
  [200, 'GET', () => '/openapi.json'],
  [200, 'POST', () => '/leaks', () => undefined, { secret: 'unknown' }],
]

describe('X-Content-Type-Options: nosniff', () => {
  const gateway = () => testStack().gatewayUrls[0] ?? ''

  it('is on replies of every kind: results, errors of all sorts, documentation, and paths that lead nowhere', async () => {
    const own = await newOrganization()
    for (const [status, method, path, credential, body] of KINDS) {
      const sent = { credential: credential?.(own), ...(body !== undefined && { body }) }
      const reply = await send(gateway(), method, path(own), sent)
      const { headers } = reply
      const shown = [method, path(own)]
      expect([...shown, reply.status, headers.get(NOSNIFF)]).toEqual([...shown, status, 'nosniff'])
      // The stack of the tests is reached over plain http, where browsers ignore this header.
      expect([...shown, headers.get('strict-transport-security')]).toEqual([...shown, null])
    }
  })

  it('is on the reply to bytes that are no HTTP', async () => {
    const reply = await sendRaw(gateway(), 'nonsense\r\n\r\n')
    expect([reply.status, reply.headers.get(NOSNIFF)]).toEqual([400, 'nosniff'])
  })
})

describe('Cache-Control: no-store', () => {
  it('is on replies with secrets, and on errors', async () => {
    const { admin } = await newOrganization()
    for (const path of ['/auth/me', '/auth/api_key', '/nothing']) {
      const reply = await send(testStack().gatewayUrls[0] ?? '', 'GET', path, {
        credential: admin.credential,
      })
      expect(reply.headers.get('cache-control')).toBe('no-store')
    }
  })
})
