import { randomUUID } from 'node:crypto'
import { TOKEN_PRESETS } from '@bearing/contracts/identity/tokens/token-presets'
import { credentialChanged } from '@bearing/contracts/identity/credentials/credential'
import {
  createOrganizationToken,
  deleteOrganizationToken,
  listOrganizationTokens,
} from '@bearing/contracts/identity/tokens/organization-token'
import { onEvent } from '@bearing/nats/events'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin } from '../../testing/test-identity.js'

describe('organization tokens', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const admin = forSuite(() => identity.newAdmin())
  const changed: string[] = []

  beforeAll(() => {
    onEvent(
      identity.connection,
      credentialChanged,
      ({ tags }) => changed.push(...tags),
      () => undefined,
    )
  })

  const create = (more: object = {}, by: TestAdmin = admin) =>
    identity.call(
      createOrganizationToken,
      { organization_id: by.organizationId, description: 'CI', ...more },
      by.claims,
    )
  const remove = (id: string, by: TestAdmin = admin) =>
    identity.call(
      deleteOrganizationToken,
      { organization_id: by.organizationId, organization_token_id: id },
      by.claims,
    )
  const list = (request: object = {}, by: TestAdmin = admin) =>
    identity.call(listOrganizationTokens, { organization_id: by.organizationId, ...request }, by.claims)
  const introspect = (token: string) => identity.introspect({ kind: 'organization_token', token })

  it('have the permissions of the preset project-manager unless others are asked for, and none that no token can have', async () => {
    expect((await create()).permissions).toEqual(TOKEN_PRESETS['project-manager'].permissions)
    const permissions = ['location:resolve', 'location:resolve']
    expect((await create({ permissions })).permissions).toEqual(['location:resolve'])
    await expect(
      create({ permissions: ['project:read', 'organization:delete'], expires_at: '2020-01-01T00:00:00Z' }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ pointer: '/permissions/1' }, { pointer: '/expires_at' }] },
    })
  })

  it('a deleted one is refused before the caller gets the reply, and gateways are notified', async () => {
    const { id, token } = await create()
    expect(await remove(id)).toMatchObject({ id, state: 'deleted' })
    expect(changed).toContain(`credential:${id}`)
    expect(await introspect(token)).toEqual({ active: false, reason: 'unknown' })
  })

  it('deleting one again changes nothing', async () => {
    const { id } = await create()
    const first = await remove(id)
    expect(await remove(id)).toEqual(first)
    const target = `organization_token:${id}`
    const audited = await identity.database.auditEntry.findMany({ where: { target }, orderBy: { id: 'asc' } })
    expect(audited).toMatchObject([
      { action: 'organization_token.created', actorUserId: admin.id, organizationId: admin.organizationId },
      { action: 'organization_token.deleted', actorUserId: admin.id, organizationId: admin.organizationId },
    ])
  })

  it("another organization's token is not found, and keeps working", async () => {
    const { id, token } = await create()
    const other = await identity.newAdmin()
    await expect(remove(id, other)).rejects.toMatchObject({ code: 'organization_token_not_found' })
    await expect(remove(randomUUID())).rejects.toMatchObject({ code: 'organization_token_not_found' })
    expect(await introspect(token)).toMatchObject({ active: true })
    expect((await list({}, other)).data).toEqual([])
  })

  it('a token can neither list, make nor delete tokens', async () => {
    const { id, token } = await create()
    const claims = await identity.claimsOf({ kind: 'organization_token', token })
    const byToken = { ...admin, claims }
    for (const attempt of [list, create, (_: object, by: TestAdmin) => remove(id, by)])
      await expect(attempt({}, byToken)).rejects.toMatchObject({ code: 'permission_denied' })
  })

  it('are listed newest first, each on one page only, without secrets', async () => {
    const owner = await identity.newAdmin()
    const made = []
    for (let i = 0; i < 5; i++) made.push(await create({ description: `token ${String(i)}` }, owner))
    const pages = await Promise.all([1, 2, 3].map((page) => list({ page, per_page: 2 }, owner)))
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(made.map(({ id }) => id).reverse())
    expect(pages[2]?.paging).toEqual({ page: 3, per_page: 2, page_count: 3, item_count: 1, total_count: 5 })
    expect((await list({ page: 1_000_000, per_page: 10_000 }, owner)).data).toEqual([])
    for (const { token } of made) expect(JSON.stringify(pages)).not.toContain(token)
  })

  it('are filtered by state, last use, creator and description, and the filters combine', async () => {
    const owner = await identity.newAdmin()
    const day = 86_400_000
    const soon = new Date(Date.now() + day).toISOString()
    const [active, ended, deleted] = [
      await create({ description: 'Deploy 100%' }, owner),
      await create({ description: 'nightly', expires_at: soon }, owner),
      await create({ description: 'deploy_old' }, owner),
    ]
    await remove(deleted.id, owner)
    const hourAgo = new Date(Date.now() - 3_600_000)
    const longAgo = new Date(Date.now() - 40 * day)
    await identity.database.organizationToken.update({
      where: { id: ended.id },
      data: { expiresAt: hourAgo },
    })
    await identity.database.organizationToken.updateMany({
      where: { id: { in: [active.id, ended.id] } },
      data: { createdAt: longAgo },
    })
    await identity.database.organizationTokenUse.create({
      data: { organizationTokenId: active.id, usedAt: hourAgo, address: '192.0.2.1' },
    })
    const found = async (filter: object) => (await list(filter, owner)).data.map(({ id }) => id)
    expect(await found({ state: 'active' })).toEqual([active.id])
    expect(await found({ state: 'expired' })).toEqual([ended.id])
    expect(await found({ state: 'deleted' })).toEqual([deleted.id])
    expect(await found({ unused_since: new Date(Date.now() - day).toISOString() })).toEqual([ended.id])
    expect(await found({ q: 'DEPLOY' })).toEqual([deleted.id, active.id])
    expect(await found({ q: '%' })).toEqual([active.id])
    expect(await found({ q: 'y_o' })).toEqual([deleted.id])
    expect(await found({ q: '\\' })).toEqual([])
    expect((await found({ creator: owner.id })).length).toBe(3)
    expect(await found({ creator: randomUUID() })).toEqual([])
    expect(await found({ q: 'deploy', state: 'active', creator: owner.id })).toEqual([active.id])
    const { paging } = await list({ q: 'deploy', per_page: 1 }, owner)
    expect(paging).toMatchObject({ page_count: 2, total_count: 2 })
    for (const wrong of [{ state: 'gone' }, { unused_since: 'yesterday' }, { creator: 'me' }, { q: ' ' }])
      await expect(list(wrong, owner)).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
