import { randomUUID } from 'node:crypto'
import type { DeviceLogins } from '@bearing/contracts/principal'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { Browser } from '../tools/browser.js'
import { send, type Reply } from '../tools/http.js'

const HERE = '198.51.100.7'
const ELSEWHERE = '203.0.113.9'

/** A command line that asks to be signed in. */
interface Login {
  readonly device_code: string
  readonly user_code: string
}

describe('the sign-in of a command line', () => {
  const stack = stackForSuite({
    services: ['identity', 'management'],
    environment: { gateway: { TRUSTED_PROXIES: '127.0.0.1' } },
  })
  const own = forSuite(() => newOrganization(stack))
  const browser = forSuite(() => Browser.signIn(gateway(), own.admin))

  const gateway = () => stack.gatewayUrls[0] ?? ''
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const setTo = (DEVICE_LOGINS: DeviceLogins) => stack.replace('identity', { DEVICE_LOGINS })
  const saidBy = ({ status, json }: Reply) => [status, json?.code]
  const REFUSED = [403, 'device_login_refused']

  const ask = (address: string) =>
    send(gateway(), 'POST', '/auth/login', { ...from(address), body: { host: 'ann-laptop' } })
  const asked = async (address: string) => {
    const reply = await ask(address)
    expect(reply.status).toBe(201)
    return reply.json?.data as Login
  }
  const allow = ({ user_code }: Login, address = HERE) =>
    browser.send(gateway(), 'POST', '/auth/login/allow', { ...from(address), body: { user_code } })
  const exchange = ({ device_code }: Login) =>
    send(gateway(), 'POST', '/auth/login/token', { body: { device_code } })
  const tokenOf = async (login: Login) => {
    const reply = await exchange(login)
    expect(reply.status).toBe(200)
    return (reply.json?.data as { access_token: string }).access_token
  }
  /** Signs a command line in. @returns its token */
  const signedIn = async (address: string) => {
    const login = await asked(address)
    expect((await allow(login)).status).toBe(200)
    return tokenOf(login)
  }
  const get = (token: string, path: string, url = gateway()) =>
    send(url, 'GET', path, { headers: { authorization: `Bearer ${token}` } })
  const projects = ({ slug }: Pick<TestOrganization, 'slug'>) => `/api/v0/organizations/${slug}/projects`

  it('is refused by the rule of an organization there only, within a second at every gateway', async () => {
    const slug = `other-${randomUUID().slice(0, 8)}`
    await own.admin.client.call('createOrganization', { name: 'Other', slug })
    const [near, far] = [await signedIn(HERE), await signedIn(ELSEWHERE)]
    const reached = async (token: string, path: string) =>
      Promise.all(stack.gatewayUrls.map(async (url) => (await get(token, path, url)).json?.code ?? 'ok'))
    const everywhere = (code: string) => stack.gatewayUrls.map(() => code)
    expect(stack.gatewayUrls.length).toBeGreaterThan(1)
    const rules = [
      ['off', 'device_login_refused', 'device_login_refused'],
      ['same-network', 'ok', 'device_login_refused'],
      ['on', 'ok', 'ok'],
    ] as const
    for (const token of [near, far])
      await eventually(async () => {
        expect(await reached(token, projects({ slug }))).toEqual(everywhere('ok'))
      })
    for (const [device_logins, ofNear, ofFar] of rules) {
      const path = `/api/v0/organizations/${own.slug}/sign_in_policy`
      const changed = await browser.send(gateway(), 'PUT', path, { body: { device_logins } })
      expect(changed.json?.data).toMatchObject({ device_logins })
      await eventually(
        async () => {
          expect(await reached(near, projects(own))).toEqual(everywhere(ofNear))
          expect(await reached(far, projects(own))).toEqual(everywhere(ofFar))
        },
        { withinMs: 1_000 },
      )
      for (const token of [near, far])
        expect(await reached(token, projects({ slug }))).toEqual(everywhere('ok'))
      expect((await browser.send(gateway(), 'GET', projects(own))).status).toBe(200)
      const { credential } = own.token
      expect((await send(gateway(), 'GET', projects(own), { credential })).status).toBe(200)
    }
  })

  it('is refused from another network with DEVICE_LOGINS=same-network, also if it was allowed before', async () => {
    const [before, pending] = [await signedIn(ELSEWHERE), await asked(ELSEWHERE)]
    expect((await allow(pending)).status).toBe(200)
    await setTo('same-network')
    const far = await asked(ELSEWHERE)
    expect(saidBy(await allow(far))).toEqual(REFUSED)
    expect(saidBy(await exchange(far))).toEqual([400, 'authorization_pending'])
    expect(saidBy(await exchange(pending))).toEqual(REFUSED)
    const near = await signedIn(HERE)
    expect((await get(near, '/auth/me')).status).toBe(200)
    await eventually(
      async () => {
        expect(saidBy(await get(before, '/auth/me'))).toEqual([401, 'credential_invalid'])
      },
      { withinMs: 40_000 },
    )
  })

  it('is refused at every step with DEVICE_LOGINS=off, and so are present sessions', async () => {
    await setTo('on')
    const [undecided, allowed, before] = [await asked(HERE), await asked(HERE), await signedIn(HERE)]
    expect((await allow(allowed)).status).toBe(200)
    await setTo('off')
    expect(saidBy(await ask(HERE))).toEqual(REFUSED)
    expect(saidBy(await allow(undecided))).toEqual(REFUSED)
    for (const login of [undecided, allowed]) expect(saidBy(await exchange(login))).toEqual(REFUSED)
    await eventually(
      async () => {
        expect(saidBy(await get(before, '/auth/me'))).toEqual([401, 'credential_invalid'])
      },
      { withinMs: 40_000 },
    )
    // Browsers and other credentials are not its subject.
    expect((await browser.send(gateway(), 'GET', projects(own))).status).toBe(200)
    expect((await send(gateway(), 'GET', projects(own), { credential: own.token.credential })).status).toBe(
      200,
    )
  })
})
