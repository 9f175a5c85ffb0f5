import { connect, type Socket } from 'node:net'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization, type TestProject } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { sendRaw } from '../tools/raw-http.js'

const KIB = 1024

describe('a request that its caller may not make', () => {
  const stack = stackForSuite({ oneProcess: true })
  const own = forSuite(() => newOrganization(stack))
  const other = forSuite(() => newOrganization(stack))

  const gateway = () => stack.gatewayUrls[0] ?? ''
  const key = (project: TestProject) => `Service-Project-Key: ${project.key}`
  const bearer = ({ token }: TestOrganization) => `Authorization: Bearer ${token.token}`
  const imports = (slug: string) =>
    `/v1/organizations/${slug}/location/access_points/imports/0198f3a0-0000-7000-8000-000000000000/batches/0`
  const head = (method: string, path: string, ...headers: string[]) =>
    [`${method} ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers, '', ''].join(
      '\r\n',
    )

  it('is refused before any of its body was sent: permission, organization, project, kind of credential', async () => {
    const length = `Content-Length: ${String(700 * KIB)}`
    const ask = async (path: string, credential: string, method = 'POST') => {
      const reply = await sendRaw(gateway(), head(method, path, credential, length))
      return [reply.status, (JSON.parse(reply.body) as { code: string }).code]
    }
    const observations = (slug: string, project: string) =>
      `/v1/organizations/${slug}/projects/${project}/location/observations`
    expect(await ask(imports(own.slug), key(own.project), 'PUT')).toEqual([403, 'permission_denied'])
    expect(await ask(imports(other.slug), bearer(own), 'PUT')).toEqual([404, 'organization_not_found'])
    expect(await ask(observations(own.slug, 'nothing'), bearer(own))).toEqual([404, 'project_not_found'])
    expect(await ask(observations(own.slug, own.project.slug), key(own.project))).toEqual([
      403,
      'permission_denied',
    ])
    expect(await ask('/api/v0/chunks/X', bearer(own))).toEqual([403, 'project_key_required'])
  })

  it('is answered on a connection that stays usable: the next request on it is answered too', async () => {
    const body = 'x'.repeat(700 * KIB)
    const refused = head('PUT', imports(own.slug), key(own.project), `Content-Length: ${String(body.length)}`)
    const allowed = head('POST', '/api/v0/chunks/KEPT', key(own.project), 'Content-Length: 0')
    const socket = await open(gateway())
    let received = ''
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    socket.write(refused + body + allowed)
    await eventually(() => {
      expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['403', '202'])
    })
    socket.destroy()
  })

  it('is refused by its Content-Length if the body is larger than the route takes', async () => {
    const path = `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/observations`
    const reply = await sendRaw(
      gateway(),
      head('POST', path, bearer(own), `Content-Length: ${String(700 * KIB)}`),
    )
    expect([reply.status, (JSON.parse(reply.body) as { code: string }).code]).toEqual([
      413,
      'payload_too_large',
    ])
  })

  it('does not show whether a slug of another organization exists: each request takes one call to management either way', async () => {
    const RESOLVED = /^bearing_call_duration_seconds_count\{.*"management\.v1\.address\.resolve".*\} (\d+)$/gm
    const calls = async () =>
      [...(await stack.metrics('management')).matchAll(RESOLVED)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      )
    const callsOf = async (path: string, token: TestOrganization | undefined) => {
      const before = await calls()
      for (let i = 0; i < 5; i++) {
        const authorization = token ? [bearer(token)] : []
        const reply = await sendRaw(gateway(), head('GET', path, ...authorization))
        expect(reply.status).not.toBe(429)
      }
      return (await calls()) - before
    }
    const project = (slug: string, name: string) => `/api/v0/organizations/${slug}/projects/${name}`
    // The owner's requests fill the cache, and then need no more calls.
    await callsOf(project(other.slug, other.project.slug), other)
    expect(await callsOf(project(other.slug, other.project.slug), other)).toBe(0)
    expect(await callsOf(project(other.slug, other.project.slug), own)).toBe(5)
    expect(await callsOf(project(other.slug, 'nothing'), own)).toBe(5)
    expect(await callsOf(project('nothing', other.project.slug), own)).toBe(5)
    await callsOf(`/api/v0/organizations/${other.slug}/projects`, other)
    expect(await callsOf(`/auth/sso?organization=${other.slug}`, undefined)).toBe(5)
    expect(await callsOf('/auth/sso?organization=nothing', undefined)).toBe(5)
  })
})

function open(gateway: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(gateway).port), host: '127.0.0.1' }, () => {
      resolve(socket)
    })
    socket.once('error', reject)
  })
}
