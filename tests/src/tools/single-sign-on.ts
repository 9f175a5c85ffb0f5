import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import type { TestOrganization, TestUser } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { expect } from '@jest/globals'
import { Browser } from './browser.js'
import type { Reply } from './http.js'
import type { FakeProvider } from './fake-provider.js'
import { SsoBrowser } from './sso-browser.js'

/** The gateways of the shared stack. */
export const gateways = () => testStack().gatewayUrls
/** The first of them. */
export const gateway = () => gateways()[0] ?? ''
/** Path of an organization's projects. */
export const projects = (organization: TestOrganization) =>
  `/api/v0/organizations/${organization.slug}/projects`
/** Path of its sign-in policy. */
export const policy = (organization: TestOrganization) =>
  `/api/v0/organizations/${organization.slug}/sign_in_policy`

/** Connects an organization to a provider. @returns the connection's id */
export async function connect(
  { slug, admin }: TestOrganization,
  provider: Pick<FakeProvider, 'issuer' | 'clientId' | 'clientSecret'>,
  more: {
    readonly just_in_time?: boolean
    readonly client_authentication?: 'client_secret' | 'private_key_jwt'
  } = {},
): Promise<string> {
  const { id } = await admin.client.call('createSsoConnection', {
    organization: slug,
    name: 'Ours',
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    ...more,
  })
  return id
}

/** Begins to link an account, signed in with its password. @returns the browser, and the address at the provider */
export async function beginLink(user: TestUser, connectionId: string) {
  const page = await Browser.signIn(gateway(), user)
  const browser = SsoBrowser.withCookie(gateway(), page.cookie)
  const begun = await browser.send('POST', `/auth/sso/${connectionId}/link`, {
    body: {},
    headers: { 'x-csrf-token': page.csrfToken, 'sec-fetch-site': 'same-origin', origin: gateway() },
  })
  expect(begun.status).toBe(200)
  expect(begun.text).not.toContain('browser')
  const { authorization_url } = begun.json?.data as { authorization_url: string }
  return { page, browser, address: authorization_url }
}

/** Links an account with who is at the provider now. @returns the browser, with a session of single sign-on */
export async function link(user: TestUser, connectionId: string): Promise<SsoBrowser> {
  const { browser, address } = await beginLink(user, connectionId)
  expect(await browser.send('GET', await browser.atProvider(address))).toMatchObject({ status: 302 })
  return browser
}

/** Changes something as a page of Bearing does. */
export async function change(
  browser: SsoBrowser,
  method: string,
  path: string,
  body: unknown = {},
): Promise<Reply> {
  const shown = await browser.send('GET', '/auth/session')
  const { csrf_token } = shown.json?.data as { csrf_token: string }
  return browser.send(method, path, {
    body,
    headers: { 'x-csrf-token': csrf_token, 'sec-fetch-site': 'same-origin', origin: gateway() },
  })
}

/** It is refused with a problem document of this code. */
export function expectProblem(reply: Reply, code: ErrorCode): void {
  expect(reply.json).toMatchObject({ code, status: ERRORS[code].status })
  expect(reply.status).toBe(ERRORS[code].status)
}

/** No session came out of it. */
export function expectRefused(reply: Reply, code: ErrorCode): void {
  expectProblem(reply, code)
  expect(reply.headers.get('set-cookie')).toBeNull()
}
