import { ERRORS } from '@bearing/contracts/errors'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { startStack, testStack } from '@bearing/testing/stack'
import { describe, expect, it } from '@jest/globals'
import { Browser } from '../tools/browser.js'
import { send } from '../tools/http.js'
import { sendRaw } from '../tools/raw-http.js'

/** The most bytes of the sign-in page and of any other page, in brotli and gzip. */
const SIGN_IN_BROTLI_BYTES = 190 * 1024
const PAGE_GZIP_BYTES = 290 * 1024
const CSS_GZIP_BYTES = 15 * 1024

const PAGES = [
  '/sign-in',
  '/sign-on/switch',
  '/invitation',
  '/password-reset',
  '/email-change',
  '/partner',
  '/command-line',
  '/app',
  '/app/o/x/y',
]

describe('the dashboard', () => {
  const gateway = () => testStack().gatewayUrls[0] ?? ''
  const get = (path: string, headers: Record<string, string> = {}) =>
    send(gateway(), 'GET', path, { headers })

  /** Opens a path as a page: `fetch` cannot say that, because it overwrites the header. */
  const navigate = async (path: string, headers: Record<string, string>) => {
    const lines = Object.entries({ host: 'localhost', 'sec-fetch-mode': 'navigate', ...headers })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const { status, headers: answered } = await sendRaw(gateway(), `GET ${path} HTTP/1.1\r\n${head}\r\n`)
    return [status, answered.get('location')]
  }

  it.each(PAGES)('answers %s with the page, under a policy without exceptions', async (path) => {
    const { status, headers, text } = await get(path)
    expect(status).toBe(200)
    expect(text).toContain('<div id="root">')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
    expect(Object.fromEntries(headers)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    })
    const again = await get(path, { 'if-none-match': headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('leads from the root to the dashboard, and leaves other paths to the API', async () => {
    const root = await get('/')
    expect([root.status, root.headers.get('location')]).toEqual([302, '/app'])
    for (const path of ['/apps', '/assets/main.js', '/assets/..%2findex.html', '/invitation/x'])
      expect(await get(path)).toMatchObject({ status: 404, json: { code: 'route_not_found' } })
  })

  it('answers a browser that opens an unknown path with a page, and a program with a problem document', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const page = await get('/whatever', { accept })
    expect(page.status).toBe(404)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      vary: 'accept',
    })
    for (const part of ['There is no such route', '/docs/errors/route_not_found', 'href="/app"'])
      expect(page.text).toContain(part)
    for (const other of ['*/*', 'application/json', 'text/html;q=0, */*'])
      expect(await get('/whatever', { accept: other })).toMatchObject({
        status: 404,
        json: { code: 'route_not_found' },
      })
  })

  it('serves every file that it loads, compressed and cacheable for ever, within its budget of bytes', async () => {
    const { text: page } = await get('/sign-in')
    const loaded = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(loaded.length).toBeGreaterThan(3)
    const size = async (path: string, encoding: string) => {
      const response = await fetch(gateway() + path, { headers: { 'accept-encoding': encoding } })
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toContain('immutable')
      expect(response.headers.get('content-encoding')).toBe(encoding)
      await response.arrayBuffer()
      return Number(response.headers.get('content-length'))
    }
    const sum = async (paths: readonly string[], encoding: string) =>
      (await Promise.all(paths.map((path) => size(path, encoding)))).reduce(
        (total, bytes) => total + bytes,
        0,
      )
    expect(await sum([...new Set(loaded)], 'br')).toBeLessThan(SIGN_IN_BROTLI_BYTES)
    expect(
      await sum(
        loaded.filter((path) => path.endsWith('.css')),
        'gzip',
      ),
    ).toBeLessThan(CSS_GZIP_BYTES)
    expect(await sum([...new Set(loaded)], 'gzip')).toBeLessThan(PAGE_GZIP_BYTES)
  })

  it('hands on the licenses of the packages that the pages contain', async () => {
    const { status, headers, text } = await get('/app/third-party-notices.txt')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    for (const name of ['react', 'react-dom', '@tanstack/react-query', 'maplibre-gl', 'zod'])
      expect(text).toMatch(new RegExp(`^${name} \\d[\\d.]+$`, 'm'))
    expect(text).toContain('Permission is hereby granted')
  })

  it('describes this installation to its pages', async () => {
    const { status, json } = await get('/app/config.json')
    expect(status).toBe(200)
    expect(json).toMatchObject({ public_url: expect.any(String), project_key_header: 'Service-Project-Key' })
  })

  it('lists how an address can sign in without revealing whether it has an account', async () => {
    const organization = await newOrganization()
    const ask = (email: string) =>
      send(gateway(), 'POST', '/auth/sign_in_options', { body: { email }, headers: {} }).then(
        ({ json }) => json?.data,
      )
    expect(await ask('nobody@serving.example.com')).toMatchObject({ password: true, connections: [] })
    // Suites beside this one connect the domain that all addresses of tests have.
    await eventually(async () => {
      const known = await ask(organization.admin.email)
      expect(known).toMatchObject({ password: true })
      expect(await ask('nobody@example.com')).toEqual(known)
    })
  })

  it('leads the browser of a failed sign-on to the sign-in page, and a program to a problem document', async () => {
    const path = '/auth/sso?organization=there-is-none'
    const [status, location] = await navigate(path, { 'sec-fetch-site': 'none' })
    expect(status).toBe(303)
    expect(location).toMatch(/^\/sign-in\?problem=sso_connection_not_found&request=[\w-]+$/)
    expect(await get(path)).toMatchObject({ status: ERRORS.sso_connection_not_found.status })
  })

  it('asks before another site makes a signed-in browser somebody else’s, and lets a dead session pass', async () => {
    const organization = await newOrganization()
    const user = await newMember(organization, 'member')
    const id = '0190a0a0-0000-7000-8000-000000000001'
    const start = `/auth/sso/${id}/start?return_to=/partner`
    const arrive = (cookie: string) => navigate(start, { cookie, 'sec-fetch-site': 'cross-site' })
    const browser = await Browser.signIn(gateway(), user)
    expect(await arrive(browser.cookie)).toEqual([
      303,
      `/sign-on/switch?connection=${id}&return_to=%2Fpartner`,
    ])
    await browser.send(gateway(), 'DELETE', '/auth/session')
    // Nobody is signed in: the sign-on starts, and finds that there is no such connection.
    const [, location] = await arrive(browser.cookie)
    expect(location).toMatch(/problem=sso_connection_not_found/)
  })

  it('can be switched off, for gateways that only devices reach', async () => {
    const stack = await startStack({
      gateways: 1,
      services: ['identity'],
      environment: { gateway: { DASHBOARD: 'no' } },
    })
    try {
      const bare = (path: string) => send(stack.gatewayUrls[0] ?? '', 'GET', path)
      for (const path of ['/', '/app', '/sign-in', '/app/config.json'])
        expect(await bare(path)).toMatchObject({ status: 404, json: { code: 'route_not_found' } })
    } finally {
      await stack.stop()
    }
  })
})
