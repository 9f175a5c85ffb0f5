import { randomUUID } from 'node:crypto'
import { createUser } from '@bearing/contracts/identity/people/user'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { newOrganization, newUser, type TestOrganization } from '@bearing/testing/factories'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'

describe('the journey of a user API key', () => {
  let own: TestOrganization
  let other: TestOrganization
  const gateways = () => testStack().gatewayUrls
  const gateway = () => gateways()[0] ?? ''

  beforeAll(async () => {
    ;[own, other] = await Promise.all([newOrganization(), newOrganization()])
  })

  it('is used, rejected by other organizations, cycled and deleted; every gateway rejects the old key before its cache entry expires', async () => {
    const { email, password } = await newUser()
    const byPassword = { credential: { kind: 'user', email, secret: password } as const }
    const created = await send(gateway(), 'POST', '/auth/api_key', byPassword)
    expect(created.status).toBe(201)
    const first = asKey(email, created)

    for (const url of gateways())
      expect((await send(url, 'GET', '/auth/me', first)).json?.data).toMatchObject({
        email,
        proof: 'api_key',
      })
    const elsewhere = await send(gateway(), 'GET', `/api/v0/organizations/${other.slug}/projects`, first)
    expect(elsewhere.json).toMatchObject({ code: 'organization_not_found' })

    const shown = await send(gateway(), 'GET', '/auth/api_key', first)
    expect(shown.json?.data).toMatchObject({ api_key: null })

    const second = asKey(email, await send(gateway(), 'POST', '/auth/api_key', first))
    await eventually(async () => {
      for (const url of gateways())
        expect((await send(url, 'GET', '/auth/me', first)).json).toMatchObject({ code: 'credential_invalid' })
    })
    for (const url of gateways()) expect((await send(url, 'GET', '/auth/me', second)).status).toBe(200)

    expect((await send(gateway(), 'DELETE', '/auth/api_key', second)).status).toBe(200)
    await eventually(async () => {
      for (const url of gateways()) expect((await send(url, 'GET', '/auth/me', second)).status).toBe(401)
    })
    expect((await send(gateway(), 'DELETE', '/auth/api_key', byPassword)).json).toMatchObject({
      code: 'user_key_not_found',
    })
  })

  it('the account password works in its place, and a wrong one does not', async () => {
    const { email, password } = own.admin
    const me = (secret: string, as = email) =>
      send(gateway(), 'GET', '/auth/me', { credential: { kind: 'user', email: as, secret } })
    expect((await me(password)).json?.data).toMatchObject({ proof: 'password' })
    expect((await me(password, email.toUpperCase())).status).toBe(200)
    expect((await me(`${password} `)).json).toMatchObject({ code: 'credential_invalid' })
    expect((await me('wrong:with:colons')).json).toMatchObject({ code: 'credential_invalid' })
    expect((await me(password, 'nobody@example.com')).json).toMatchObject({ code: 'credential_invalid' })
  })

  it('a password may hold colons: all of it counts, not what stands before the first one', async () => {
    const email = `colons-${randomUUID()}@example.com`
    const password = 'first:second:third:'
    await callAsOperator(createUser, { email, password })
    const me = (secret: string) =>
      send(gateway(), 'GET', '/auth/me', { credential: { kind: 'user', email, secret } })
    expect((await me(password)).status).toBe(200)
    for (const part of ['first', 'first:second:third', 'first:', `${password}:`])
      expect((await me(part)).json).toMatchObject({ code: 'credential_invalid' })
  })

  it('is refused with the e-mail address of somebody else', async () => {
    const credential = { kind: 'user', email: other.admin.email, secret: own.admin.apiKey } as const
    expect((await send(gateway(), 'GET', '/auth/me', { credential })).json).toMatchObject({
      code: 'credential_invalid',
    })
  })

  it('lists the organizations the user belongs to, and creates one', async () => {
    const list = () => send(gateway(), 'GET', '/api/v0/organizations', { credential: own.admin.credential })
    expect((await list()).json).toMatchObject({
      data: [{ slug: own.slug }],
      paging: { page: 1, page_count: 1, item_count: 1, total_count: 1 },
    })
    const body = { name: 'Zweiter Betrieb für Ωmega' }
    const created = await send(gateway(), 'POST', '/api/v0/organizations', {
      credential: own.admin.credential,
      body,
    })
    expect(created.status).toBe(201)
    await eventually(async () => {
      expect((await list()).json).toMatchObject({ paging: { total_count: 2 } })
    })
  })
})

function asKey(email: string, reply: { json: { data?: unknown } | undefined }) {
  const { api_key: secret } = reply.json?.data as { api_key: string }
  expect(secret).toMatch(/^brgu_/)
  return { credential: { kind: 'user', email, secret } as const }
}
