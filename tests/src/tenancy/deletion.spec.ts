import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import { listDeletedOrganizations, restoreOrganization } from '@bearing/contracts/management/tenancy/deletion'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { eventually } from '@bearing/testing/eventually'
import {
  newMember,
  newOrganization,
  newProject,
  newUser,
  type TestOrganization,
} from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { describe, expect, it } from '@jest/globals'
import { send, type Sent } from '../tools/http.js'

describe('deleting an organization or a project', () => {
  const gateways = () => testStack().gatewayUrls
  const sendTo = (url: string, method: string, path: string, sent: Sent) => send(url, method, path, sent)
  const get = (path: string, sent: Sent) => sendTo(gateways()[0] ?? '', 'GET', path, sent)

  /** Sends a chunk as a device of the project. */
  const chunk = (url: string, key: string) =>
    send(url, 'POST', `/api/v0/chunks/DEVICE-${randomUUID()}`, {
      headers: { 'service-project-key': key, 'content-type': 'application/octet-stream' },
      body: 'chunk',
    })

  async function importLegacyToken({ admin, slug }: TestOrganization): Promise<void> {
    const tokens = [{ sha256: 'ab'.repeat(32).slice(0, 62) + slug.slice(-2).replaceAll(/[^0-9a-f]/g, '0') }]
    const sunset_at = '2099-01-01T00:00:00Z'
    await admin.client.call('importLegacyTokens', { organization: slug, sunset_at, tokens })
  }

  it('stops every credential of the organization at every gateway within a second, and restores the same ones', async () => {
    const own = await newOrganization()
    const other = await newOrganization()
    const member = await newMember(own, 'member', [{ project: own.project, role: 'manager' }])
    await importLegacyToken(own)
    const path = `/api/v0/organizations/${own.slug}/projects`
    const works = async (url: string) => {
      expect((await sendTo(url, 'GET', path, own.token)).status).toBe(200)
      expect((await sendTo(url, 'GET', path, member)).status).toBe(200)
      expect((await chunk(url, own.project.key)).status).toBe(202)
    }
    for (const url of gateways()) await works(url)

    const before = Date.now()
    const deleted = await own.admin.client.call('deleteOrganization', { organization: own.slug })
    expect(deleted).toMatchObject({ state: 'deleted', slug: own.slug, project_id: null, parts: [] })
    expect(deleted.credentials_stopped_at).not.toBeNull()
    const keptMs = new Date(deleted.erase_after).getTime() - new Date(deleted.deleted_at).getTime()
    expect(keptMs).toBe(7 * DAY_MS)
    await eventually(
      async () => {
        for (const url of gateways()) {
          const byToken = await sendTo(url, 'GET', path, own.token)
          expect(byToken).toMatchObject({ status: 403, json: { code: 'organization_deleted' } })
          const byUser = await sendTo(url, 'GET', path, member)
          expect(byUser).toMatchObject({ status: 403, json: { code: 'organization_deleted' } })
          const byDevice = await chunk(url, own.project.key)
          expect(byDevice).toMatchObject({ status: 503, json: { code: 'organization_deleted' } })
          expect(byDevice.headers.get('retry-after')).toBe('3600')
        }
      },
      { withinMs: 5_000 },
    )
    expect(Date.now() - before).toBeLessThan(6_000)
    // People keep their other organizations, and their accounts.
    expect((await get('/auth/me', member)).status).toBe(200)
    expect((await get(`/api/v0/organizations/${other.slug}/projects`, other.token)).status).toBe(200)
    expect((await get('/api/v0/organizations', own.admin)).json).toMatchObject({ data: [] })

    // Deleting it again changes nothing.
    const again = await own.admin.client.call('deleteOrganization', { organization: own.slug })
    expect(again).toMatchObject({ id: deleted.id, erase_after: deleted.erase_after })
    // The slug stays taken.
    const taken = await sendTo(gateways()[0] ?? '', 'POST', '/api/v0/organizations', {
      ...other.admin,
      body: { name: 'Another', slug: own.slug },
    })
    expect(taken.json).toMatchObject({ code: 'slug_taken' })

    // Its admins see it and restore it; others learn nothing.
    const listed = await own.admin.client.call('listDeletedOrganizations', {})
    expect(listed.data).toEqual([expect.objectContaining({ id: deleted.id, slug: own.slug })])
    expect((await other.admin.client.call('listDeletedOrganizations', {})).data).toEqual([])
    const restore = `/api/v0/organizations/${own.slug}/restore`
    for (const [by, code] of [
      [member, 'permission_denied'],
      [other.admin, 'organization_not_found'],
      [own.token, 'organization_deleted'],
    ] as const)
      expect((await sendTo(gateways()[0] ?? '', 'POST', restore, by)).json).toMatchObject({ code })
    const restored = await own.admin.client.call('restoreOrganization', { organization: own.slug })
    expect(restored).toMatchObject({ organization_id: own.id, slug: own.slug })
    await eventually(async () => {
      for (const url of gateways()) await works(url)
    })
    expect((await own.admin.client.call('listDeletedOrganizations', {})).data).toEqual([])
    const key = await own.admin.client.call('showProjectKey', {
      organization: own.slug,
      project: own.project.slug,
    })
    expect(key.api_key).toBe(own.project.key)
    await eventually(async () => {
      const log = await own.admin.client.call('listAuditEntries', {
        organization: own.slug,
        action: 'organization',
      })
      expect(log.data.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['organization.deleted', 'organization.restored']),
      )
    })
  })

  it('stops a project alone, keeps its slug, and restores it with the same key', async () => {
    const own = await newOrganization()
    const second = await newProject(own)
    const path = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
    for (const url of gateways()) {
      expect((await sendTo(url, 'GET', path, own.token)).status).toBe(200)
      expect((await chunk(url, own.project.key)).status).toBe(202)
    }
    const scope = { organization: own.slug, project_slug: own.project.slug }
    const deleted = await own.admin.client.call('deleteProject', scope)
    expect(deleted).toMatchObject({ state: 'deleted', project_id: own.project.id, slug: own.project.slug })
    await eventually(
      async () => {
        for (const url of gateways()) {
          expect(await chunk(url, own.project.key)).toMatchObject({
            status: 503,
            json: { code: 'project_deleted' },
          })
          expect(await sendTo(url, 'GET', path, own.token)).toMatchObject({
            status: 404,
            json: { code: 'project_not_found' },
          })
          expect((await chunk(url, second.key)).status).toBe(202)
        }
      },
      { withinMs: 5_000 },
    )
    const { data: projects } = await own.admin.client.call('listProjects', { organization: own.slug })
    expect(projects.map(({ id }) => id)).toEqual([second.id])
    const { data } = await own.admin.client.call('listDeletedProjects', { organization: own.slug })
    expect(data).toEqual([expect.objectContaining({ id: deleted.id })])
    await own.admin.client.call('restoreProject', scope)
    await eventually(async () => {
      for (const url of gateways()) {
        expect((await chunk(url, own.project.key)).status).toBe(202)
        expect((await sendTo(url, 'GET', path, own.token)).status).toBe(200)
      }
    })
  })

  it('lets the only admin delete the account afterwards; then an operator restores the organization', async () => {
    const own = await newOrganization()
    const { password, client } = own.admin
    const url = gateways()[0] ?? ''
    const remove = () => sendTo(url, 'POST', '/auth/me/delete', { ...own.admin, body: { password } })
    expect((await remove()).json).toMatchObject({ code: 'last_admin' })
    await client.call('deleteOrganization', { organization: own.slug })
    expect((await remove()).status).toBe(200)
    const { data } = await callAsOperator(listDeletedOrganizations, { per_page: 10_000 })
    expect(data.map(({ organization_id }) => organization_id)).toContain(own.id)
    await callAsOperator(restoreOrganization, { organization_id: own.id })
    await eventually(async () => {
      expect((await get(`/api/v0/organizations/${own.slug}/projects`, own.token)).status).toBe(200)
    })
  })

  it('keeps an older stop from being applied after a restoration', async () => {
    const own = await newOrganization()
    const user = await newUser()
    for (let round = 0; round < 3; round++) {
      await own.admin.client.call('deleteOrganization', { organization: own.slug })
      await own.admin.client.call('restoreOrganization', { organization: own.slug })
    }
    expect((await get('/auth/me', user)).status).toBe(200)
    await eventually(async () => {
      expect((await get(`/api/v0/organizations/${own.slug}/projects`, own.token)).status).toBe(200)
      expect((await get(`/api/v0/organizations/${own.slug}/projects`, own.admin)).status).toBe(200)
    })
  })
})
