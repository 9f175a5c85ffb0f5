import { newOrganization, newProject, type TestOrganization } from '@bearing/testing/factories'
import { eventually } from '@bearing/testing/eventually'
import { inTime } from '@bearing/testing/in-time'
import { testStack } from '@bearing/testing/stack'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { basic, send } from '../tools/http.js'

describe('the journey of a project key', () => {
  let own: TestOrganization
  let other: TestOrganization
  const gateways = () => testStack().gatewayUrls
  const gateway = () => gateways()[0] ?? ''
  const location = (organization: string, project: string) =>
    `/v1/organizations/${organization}/projects/${project}/location/wifi`
  const withKey = (key: string, headers = {}) => ({ headers: { 'service-project-key': key, ...headers } })

  beforeAll(async () => {
    ;[own, other] = await Promise.all([newOrganization(), newOrganization()])
  })

  it('exists the moment its project does, and every member sees it', async () => {
    const { key } = await newProject(own)
    expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect((await send(gateway(), 'GET', '/auth/me', withKey(key))).json?.data).toMatchObject({
      kind: 'project_key',
    })
  })

  it('is used, rejected by other organizations, and after a cycle rejected by every gateway before its cache entry expires', async () => {
    const project = await newProject(own)
    for (const url of gateways())
      expect((await send(url, 'GET', '/auth/me', withKey(project.key))).status).toBe(200)
    const elsewhere = await send(gateway(), 'POST', location(other.slug, other.project.slug), {
      ...withKey(project.key),
      body: {},
    })
    expect(elsewhere.json).toMatchObject({ code: 'organization_not_found' })

    const cycled = await own.token.client.call('cycleProjectKey', {
      organization: own.slug,
      project: project.slug,
      grace_seconds: 0,
    })
    expect(cycled.api_key).not.toBe(project.key)
    await eventually(async () => {
      for (const url of gateways())
        expect((await send(url, 'GET', '/auth/me', withKey(project.key))).status).toBe(401)
    })
    expect((await send(gateway(), 'GET', '/auth/me', withKey(cycled.api_key))).status).toBe(200)
  })

  it('an old project key works until its grace period ends, although gateways cache it', async () => {
    const { project, api_key, in_grace, shown, statuses, endsMs } = await inTime(async (grace_seconds) => {
      const project = await newProject(own)
      const settings = `/api/v0/organizations/${own.slug}/projects/${project.slug}`
      const cycled = await send(gateway(), 'POST', `${settings}/api_key`, {
        credential: own.admin.credential,
        body: { grace_seconds },
      })
      const { api_key, in_grace } = cycled.json?.data as {
        api_key: string
        in_grace: { api_key: string; expires_at: string }[]
      }
      const shown = await send(gateway(), 'GET', `${settings}/api_key`, { credential: own.token.credential })
      const statuses: number[] = []
      for (const url of gateways())
        for (const key of [project.key, api_key])
          statuses.push((await send(url, 'GET', '/auth/me', withKey(key))).status)
      return {
        ...{ project, api_key, in_grace, shown, statuses },
        endsMs: Date.parse(in_grace[0]?.expires_at ?? ''),
      }
    })
    expect(in_grace).toMatchObject([{ api_key: project.key }])
    expect(shown.json?.data).toMatchObject({ api_key, in_grace })
    expect(new Set(statuses)).toEqual(new Set([200]))
    await sleep(endsMs - Date.now() + 5)
    for (const url of gateways()) {
      expect((await send(url, 'GET', '/auth/me', withKey(project.key))).json).toMatchObject({
        code: 'credential_expired',
      })
      const asked = await send(url, 'POST', location(own.slug, project.slug), {
        ...withKey(project.key),
        body: {},
      })
      expect(asked.json).toMatchObject({ code: 'project_key_invalid' })
      expect((await send(url, 'GET', '/auth/me', withKey(api_key))).status).toBe(200)
    }
  })

  it('may resolve locations if its project allows it, and every gateway applies a change before its cache entry expires', async () => {
    const project = await newProject(own)
    const codesOf = () =>
      Promise.all(
        gateways().map(async (url) => {
          const body = {
            accessPoints: [
              { macAddress: '02:00:00:00:00:10', signalStrength: -50 },
              { macAddress: '02:00:00:00:02:00', signalStrength: -60 },
            ],
          }
          const reply = await send(url, 'POST', location(own.slug, project.slug), {
            ...withKey(project.key),
            body,
          })
          return reply.json?.code
        }),
      )
    const allow = (project_key_may_locate: boolean) =>
      own.token.client.call('changeProjectSettings', {
        organization: own.slug,
        project: project.slug,
        project_key_may_locate,
      })
    expect(new Set(await codesOf())).toEqual(new Set(['permission_denied']))
    await allow(true)
    await eventually(async () => {
      expect(new Set(await codesOf())).toEqual(new Set(['location_not_found']))
    })
    await allow(false)
    await eventually(async () => {
      expect(new Set(await codesOf())).toEqual(new Set(['permission_denied']))
    })
  })

  it('an unknown or malformed one on a device route is 403: devices throw their key away on 401', async () => {
    for (const key of ['0'.repeat(32), 'not-a-key', 'ABCDEF'.repeat(6)]) {
      const reply = await send(gateway(), 'POST', location(own.slug, own.project.slug), {
        ...withKey(key),
        body: {},
      })
      expect(reply.json).toMatchObject({ code: 'project_key_invalid', status: 403 })
      expect(reply.json?.['error']).toEqual({
        code: 'project_key_invalid',
        http_code: 403,
        message: reply.json?.['detail'],
        type: reply.json?.['type'],
      })
    }
    const missing = await send(gateway(), 'POST', location(own.slug, own.project.slug), { body: {} })
    expect(missing.status).toBe(401)
  })

  it('counts alone on a device route, beside an Authorization that an HTTP client has added', async () => {
    const reply = await send(gateway(), 'POST', location(own.slug, own.project.slug), {
      ...withKey(own.project.key, { authorization: basic('from', 'netrc') }),
      body: { accessPoints: [] },
    })
    expect(reply.json).toMatchObject({ code: 'permission_denied' })
  })

  it('beside an Authorization on another route is an error', async () => {
    const reply = await send(
      gateway(),
      'GET',
      '/auth/me',
      withKey(own.project.key, { authorization: basic('from', 'netrc') }),
    )
    expect(reply.json).toMatchObject({ code: 'multiple_credentials', status: 400 })
  })
})
