import { pathTemplate } from '@bearing/contracts/route'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { testStack } from '@bearing/testing/stack'
import { describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'

const ORIGIN = 'https://app.example'
const GRANTS = ['origin', 'credentials', 'methods', 'headers', 'private-network'].map(
  (name) => `access-control-allow-${name}`,
)
const [gateway = ''] = testStack().gatewayUrls
const routes = Object.entries(ROUTES as Readonly<Record<string, Route>>)

/** A path of a route whose slugs and ids nobody has. */
function pathOf(route: Route): string {
  return pathTemplate(route).template.replaceAll(/\{[a-z_]+\}/g, 'nobody')
}

function ask(method: string, path: string, headers: Record<string, string> = {}) {
  return send(gateway, method, path, { headers: { origin: ORIGIN, ...headers } })
}

const preflight = (route: Route) =>
  ask('OPTIONS', pathOf(route), {
    'access-control-request-method': route.method,
    'access-control-request-headers': 'authorization,content-type,service-project-key',
  })

describe('a page of another origin', () => {
  it('may use every route of devices, without credentials that a browser adds', async () => {
    const ofDevices = routes.filter(([, { device }]) => device)
    expect(ofDevices.length).toBeGreaterThan(15)
    for (const [name, route] of ofDevices) {
      const { status, headers } = await preflight(route)
      expect([name, status]).toEqual([name, 204])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(route.method)
      expect(headers.get('access-control-allow-headers')).toBe(
        'authorization,content-type,service-project-key',
      )
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      const reply = await ask(route.method, pathOf(route))
      expect([name, reply.headers.get('access-control-allow-origin')]).toEqual([name, '*'])
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it('gets no permission on any other route, not even for its method of a path that devices use', async () => {
    for (const [name, route] of routes) {
      if (route.device) continue
      const { headers } = await preflight(route)
      const allowed = headers.get('access-control-allow-methods')?.split(', ') ?? []
      expect([name, allowed.includes(route.method)]).toEqual([name, false])
      const reply = await ask(route.method, pathOf(route))
      expect([name, ...GRANTS.map((grant) => reply.headers.get(grant))]).toEqual([
        name,
        ...GRANTS.map(() => null),
      ])
    }
    for (const path of ['/', '/docs', '/openapi.json', '/healthz', '/nowhere'])
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await ask(method, path)
        expect([path, ...GRANTS.map((grant) => headers.get(grant))]).toEqual([
          path,
          ...GRANTS.map(() => null),
        ])
      }
  })

  it('is allowed no header whose name is none', async () => {
    for (const names of ['x y', 'a\tb', 'x'.repeat(1_025), '']) {
      const { status, headers } = await ask('OPTIONS', '/v1/geolocate', {
        'access-control-request-method': 'POST',
        'access-control-request-headers': names,
      })
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-headers')).toBeNull()
    }
  })
})

it('a program, which sends no Origin, gets no header for pages', async () => {
  const { headers } = await send(gateway, 'POST', '/v1/geolocate', { body: {} })
  expect(GRANTS.map((grant) => headers.get(grant))).toEqual(GRANTS.map(() => null))
})

it('an empty project key header is reported as empty', async () => {
  const { status, json } = await send(gateway, 'POST', '/api/v0/chunks/DEVICE-1', {
    headers: { 'service-project-key': '', 'content-type': 'application/octet-stream' },
  })
  expect(status).toBe(403)
  expect(json).toMatchObject({ code: 'project_key_invalid', detail: expect.stringContaining('is empty') })
})
