import { setTimeout as sleep } from 'node:timers/promises'
import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { auditedIn } from '../tools/audited.js'
import { bearing } from '../tools/bearing.js'
import { send, type Reply, type Sent } from '../tools/http.js'

const gateways = () => testStack().gatewayUrls
/** Within this time every gateway applies a change, even if it missed the event. */
const BOUND_MS = 30_000
const organizationPath = (slug: string) => `/api/v0/organizations/${slug}`

/** Asks each gateway. */
function fromEach(path: string, credential: Sent['credential']): Promise<Reply[]> {
  return Promise.all(gateways().map((gateway) => send(gateway, 'GET', path, { credential })))
}

async function patch(path: string, credential: Sent['credential'], body: unknown): Promise<Reply> {
  return send(gateways()[0] ?? '', 'PATCH', path, { credential, body })
}

const unique = (name: string) =>
  `${name}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`
const statuses = (replies: readonly Reply[]) => new Set(replies.map(({ status }) => status))

describe('a rename', () => {
  const own = forSuite(() => newOrganization())

  it('of an organization makes the former slug not found and the new one work at every gateway within 1 s of the event', async () => {
    const { admin, token, project, slug: former } = await newOrganization()
    const slug = unique('renamed')
    for (const { credential } of [admin, token])
      expect(statuses(await fromEach(`${organizationPath(former)}/projects`, credential))).toEqual(
        new Set([200]),
      )
    const renamed = await patch(organizationPath(former), admin.credential, { name: 'New name', slug })
    expect(renamed).toMatchObject({ status: 200, json: { data: { slug, name: 'New name' } } })
    await eventually(
      async () => {
        const replies = await fromEach(`${organizationPath(former)}/projects`, token.credential)
        for (const { json } of replies) expect(json).toMatchObject({ code: 'organization_not_found' })
      },
      { withinMs: 1_000 },
    )
    const path = `${organizationPath(slug)}/projects/${project.slug}`
    expect(statuses(await fromEach(path, token.credential))).toEqual(new Set([200]))
  })

  it('of a project makes the former slug not found at every gateway, and its key still works', async () => {
    const project = await newProject(own)
    const slug = unique('renamed')
    const at = (projectSlug: string) => `${organizationPath(own.slug)}/projects/${projectSlug}`
    await fromEach(at(project.slug), own.token.credential)
    expect(await patch(at(project.slug), own.token.credential, { slug })).toMatchObject({ status: 200 })
    await eventually(
      async () => {
        for (const { json } of await fromEach(at(project.slug), own.token.credential))
          expect(json).toMatchObject({ code: 'project_not_found' })
      },
      { withinMs: 1_000 },
    )
    for (const { json } of await fromEach(at(slug), own.token.credential))
      expect(json).toMatchObject({ data: { id: project.id, slug, name: project.name } })
    const chunk = { credential: { kind: 'project_key', key: project.key } as const, body: 'bytes' }
    const headers = { 'content-type': 'application/octet-stream' }
    expect(
      (await send(gateways()[0] ?? '', 'POST', '/api/v0/chunks/RENAMED-1', { ...chunk, headers })).status,
    ).toBe(202)
  })

  it(
    `is applied by every gateway within ${BOUND_MS / 1_000} s if its event was lost`,
    async () => {
      const project = await newProject(own)
      const path = `${organizationPath(own.slug)}/projects/${project.slug}`
      expect(statuses(await fromEach(path, own.token.credential))).toEqual(new Set([200]))
      const startedAtMs = performance.now()
      // Behind the back of management, which publishes no event.
      await inManagement('UPDATE projects SET slug = $2 WHERE id = $1', [project.id, unique('silent')])
      expect(statuses(await fromEach(path, own.token.credential))).toEqual(new Set([200]))
      await sleep(BOUND_MS - (performance.now() - startedAtMs))
      expect(statuses(await fromEach(path, own.token.credential))).toEqual(new Set([404]))
    },
    BOUND_MS + 20_000,
  )

  it('reserves the former slug: others are refused until it expires, and the owner takes it back', async () => {
    const { admin, slug: former } = await newOrganization()
    const slug = unique('renamed')
    await patch(organizationPath(former), admin.credential, { slug })
    const create = () =>
      send(gateways()[0] ?? '', 'POST', '/api/v0/organizations', {
        credential: own.admin.credential,
        body: { name: 'Squatter', slug: former },
      })
    expect(await create()).toMatchObject({ status: 409, json: { code: 'slug_reserved' } })
    expect(await patch(organizationPath(own.slug), own.admin.credential, { slug: former })).toMatchObject({
      status: 409,
      json: { code: 'slug_reserved' },
    })
    expect(await patch(organizationPath(slug), admin.credential, { slug: former })).toMatchObject({
      status: 200,
      json: { data: { slug: former } },
    })
    await patch(organizationPath(former), admin.credential, { slug: unique('renamed') })
    await inManagement(`UPDATE reserved_slugs SET expires_at = now() WHERE slug = $1`, [former])
    expect(await create()).toMatchObject({ status: 201 })
  })

  it('is in the audit log with the names before and after', async () => {
    const { id, admin, name, slug: former } = await newOrganization()
    const slug = unique('renamed')
    await patch(organizationPath(former), admin.credential, { name: 'After', slug })
    const rows = await auditedIn('management', { id })
    expect(rows.filter(({ action }) => action === 'organization.changed')).toMatchObject([
      {
        actor_user_id: admin.id,
        target: `organization:${id}`,
        details: { name: 'After', name_before: name, slug, slug_before: former },
      },
    ])
  })

  it('is refused with the field that is wrong', async () => {
    const { admin } = own
    for (const [body, pointer] of [
      [{}, '/name'],
      [{ slug: 'Not a slug' }, '/slug'],
      [{ name: '' }, '/name'],
    ])
      expect(await patch(organizationPath(own.slug), admin.credential, body)).toMatchObject({
        status: 400,
        json: { code: 'invalid_input', errors: [{ pointer }] },
      })
  })

  it('is not for members of the organization, nor for members of the project', async () => {
    const [member, developer] = await Promise.all([
      newMember(own, 'member'),
      newMember(own, 'member', [{ project: own.project, role: 'member' }]),
    ])
    expect(await patch(organizationPath(own.slug), member.credential, { name: 'No' })).toMatchObject({
      status: 403,
    })
    const path = `${organizationPath(own.slug)}/projects/${own.project.slug}`
    expect(await patch(path, developer.credential, { name: 'No' })).toMatchObject({ status: 403 })
  })

  it('works from the command line, which names the former slug', async () => {
    const { admin, slug: former, project } = await newOrganization()
    const by = { BEARING_ORG_TOKEN: undefined, BEARING_EMAIL: admin.email, BEARING_PASSWORD: admin.apiKey }
    const slug = unique('renamed')
    const run = (...args: string[]) => bearing({ ...own, slug: former }, args, by)
    const inProject = await run('projects', 'rename', project.slug, '--slug', 'other', '--name', 'Other')
    expect(inProject).toMatchObject({ code: 0 })
    expect(inProject.stdout).toContain('Other')
    expect(inProject.stderr).toContain(`"${project.slug}" are refused within 30 seconds`)
    expect((await run('organizations', 'rename')).code).toBe(2)
    const renamed = await run('--json', 'organizations', 'rename', '--slug', slug)
    expect(JSON.parse(renamed.stdout)).toMatchObject({ slug })
    const shown = await eventually(async () => {
      const ended = await run('--json', 'organizations', 'show', slug)
      expect(ended.code).toBe(0)
      return ended
    })
    expect(JSON.parse(shown.stdout)).toMatchObject({ slug })
  })
})

describe('an organization token', () => {
  it('lists and shows the one organization that it belongs to', async () => {
    const [own, other] = await Promise.all([newOrganization(), newOrganization()])
    const { credential } = own.token
    const organization = { id: own.id, slug: own.slug, name: own.name }
    for (const { json } of await fromEach('/api/v0/organizations', credential))
      expect(json).toMatchObject({ data: [organization], paging: { total_count: 1 } })
    for (const { json } of await fromEach(organizationPath(own.slug), credential))
      expect(json).toMatchObject({ data: organization })
    for (const { json } of await fromEach(organizationPath(other.slug), credential))
      expect(json).toMatchObject({ code: 'organization_not_found' })
  })
})

async function inManagement(sql: string, values: readonly unknown[]): Promise<void> {
  await using client = await connectTo(testStack().databaseUrls.management)
  await client.query(sql, [...values])
}
