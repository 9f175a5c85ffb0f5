import { randomUUID } from 'node:crypto'
import { createOrganizationToken } from '@bearing/contracts/identity/tokens/organization-token'
import {
  createOrganization,
  createOrganizationFor,
  listOrganizations,
} from '@bearing/contracts/management/tenancy/organization'
import { createProject } from '@bearing/contracts/management/tenancy/project'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestManagement } from '../../testing/test-management.js'

describe('organizations', () => {
  const management = forSuite(() => TestManagement.connect())

  it('who creates one is its admin, and it is written down', async () => {
    const user = await management.newUser()
    const slug = `o-${randomUUID()}`
    const made = await management.call(createOrganization, { name: 'Acme', slug }, await user.claims())
    expect(made).toMatchObject({ slug, name: 'Acme' })
    expect((await management.call(listOrganizations, {}, await user.claims())).data).toEqual([made])
    const project = { organization_id: made.id, name: 'Default' }
    expect(await management.call(createProject, project, await user.claims())).toMatchObject({
      slug: 'default',
    })
    expect(await management.database.organization.findUnique({ where: { id: made.id } })).toMatchObject({
      createdBy: user.id,
    })
    const audited = await management.database.auditEntry.findMany({
      where: { target: `organization:${made.id}` },
    })
    expect(audited).toMatchObject([{ action: 'organization.created', actorUserId: user.id }])
  })

  it('a slug that is taken is refused when asked for, and numbered when made from a name', async () => {
    const claims = await (await management.newUser()).claims()
    const name = `Möbel ${randomUUID().slice(0, 8)}`
    const first = await management.call(createOrganization, { name }, claims)
    const second = await management.call(createOrganization, { name }, claims)
    expect(second.slug).toBe(`${first.slug}-2`)
    await expect(
      management.call(createOrganization, { name, slug: first.slug }, claims),
    ).rejects.toMatchObject({ code: 'slug_taken' })
  })

  it('of many concurrent requests for one slug one gets it; if slugs come from the name, each gets its own', async () => {
    const claims = await (await management.newUser()).claims()
    const slug = `o-${randomUUID()}`
    const wanted = await Promise.allSettled(
      Array.from({ length: 4 }, () => management.call(createOrganization, { name: 'x', slug }, claims)),
    )
    expect(wanted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of wanted)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'slug_taken' })

    const name = randomUUID()
    const made = await Promise.all(
      Array.from({ length: 4 }, () => management.call(createOrganization, { name }, claims)),
    )
    expect(new Set(made.map((each) => each.slug)).size).toBe(4)
  })

  it('a name without a letter for a slug gets a random one', async () => {
    const claims = await (await management.newUser()).claims()
    const { name, slug } = await management.call(createOrganization, { name: '東京' }, claims)
    expect(name).toBe('東京')
    expect(slug).toMatch(/^organization-[0-9a-f]{8}$/)
  })

  it('are listed to their members only, in the order of slugs, each on one page', async () => {
    const user = await management.newUser()
    const unrelated = await management.newOrganization()
    const names = Array.from({ length: 3 }, () => randomUUID())
    for (const name of names)
      await management.call(createOrganization, { name, slug: name }, await user.claims())
    const claims = await user.claims()
    const pages = await Promise.all(
      [1, 2].map((page) => management.call(listOrganizations, { page, per_page: 2 }, claims)),
    )
    expect(pages.flatMap(({ data }) => data.map(({ slug }) => slug))).toEqual(names.sort())
    expect(pages[1]?.paging).toMatchObject({ page_count: 2, item_count: 1, total_count: 3 })
    expect(JSON.stringify(pages)).not.toContain(unrelated.slug)
    const beyond = await management.call(listOrganizations, { page: 1_000_000, per_page: 10_000 }, claims)
    expect(beyond).toMatchObject({ data: [], paging: { total_count: 3 } })
  })

  it('a token lists its own organization and cannot create one', async () => {
    const { id, admin } = await management.newOrganization()
    const { token } = await management.call(
      createOrganizationToken,
      { organization_id: id, description: 'CI' },
      await admin.claims(),
    )
    const claims = await management.claimsOf({ kind: 'organization_token', token })
    expect(await management.call(listOrganizations, {}, claims)).toMatchObject({
      paging: { total_count: 1 },
    })
    await expect(management.call(createOrganization, { name: 'x' }, claims)).rejects.toMatchObject({
      code: 'user_required',
    })
  })
})

describe('where only operators create organizations', () => {
  const stack = stackForSuite({
    services: ['identity', 'management'],
    gateways: 0,
    environment: { management: { ORGANIZATION_CREATION: 'operators' } },
  })
  const management = forSuite(() => TestManagement.connect(stack))

  it('a user is refused, and becomes the admin of one that an operator creates for them', async () => {
    const user = await management.newUser()
    const claims = await user.claims()
    await expect(management.call(createOrganization, { name: 'Acme' }, claims)).rejects.toMatchObject({
      code: 'permission_denied',
    })
    const request = { name: 'Acme', admin: user.email.toUpperCase() }
    const made = await management.callAsOperator(createOrganizationFor, request)
    expect((await management.call(listOrganizations, {}, await user.claims())).data).toEqual([made])
    expect(await management.database.organization.findUnique({ where: { id: made.id } })).toMatchObject({
      createdBy: user.id,
    })
    const unknown = { name: 'Acme', admin: 'nobody@example.com' }
    await expect(management.callAsOperator(createOrganizationFor, unknown)).rejects.toMatchObject({
      code: 'user_not_found',
    })
    await expect(management.call(createOrganizationFor, request, claims)).rejects.toMatchObject({
      code: 'permission_denied',
    })
  })
})

describe('while identity is down', () => {
  const stack = stackForSuite({ services: ['identity', 'management'], gateways: 0 })
  const management = forSuite(() => TestManagement.connect(stack))

  it('nothing is created by halves, and the slug stays free', async () => {
    const user = await management.newUser()
    const claims = await user.claims()
    const request = { name: 'Acme', slug: 'acme' }
    await management.call(createOrganization, { name: 'Warm' }, claims)
    await stack.part('identity').kill()
    await expect(management.call(createOrganization, request, claims)).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    expect(await management.database.organization.count({ where: { slug: 'acme' } })).toBe(0)
    await stack.part('identity').start()
    expect(await management.call(createOrganization, request, claims)).toMatchObject({ slug: 'acme' })
  })
})
