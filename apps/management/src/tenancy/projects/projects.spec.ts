import { randomUUID } from 'node:crypto'
import { createOrganizationToken } from '@bearing/contracts/identity/tokens/organization-token'
import { showProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { addFirstAdmin } from '@bearing/contracts/identity/people/user'
import { resolveScope } from '@bearing/contracts/management/tenancy/scope'
import { createProject, listProjects, showProject } from '@bearing/contracts/management/tenancy/project'
import { page } from '@bearing/contracts/primitives'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { TestManagement } from '../../testing/test-management.js'
import { SHOWN, toProject } from './project-row.js'

describe('projects', () => {
  const management = forSuite(() => TestManagement.connect())
  const organization = forSuite(() => management.newOrganization())
  let claims: string

  beforeEach(async () => {
    claims = await organization.admin.claims()
  })

  const create = (name: string, slug?: string) =>
    management.call(createProject, { organization_id: organization.id, name, slug }, claims)
  const slugs = async (by: string, organizationId = organization.id) => {
    const { data } = await management.call(listProjects, { organization_id: organizationId }, by)
    return data.map(({ slug }) => slug)
  }

  it('a new one has its key from the first moment', async () => {
    const { id } = await create('Keyed')
    const project = { organization_id: organization.id, project_id: id }
    const { api_key: key } = await management.call(showProjectKey, project, claims)
    const byKey = await management.claimsOf({ kind: 'project_key', key })
    expect(byKey).not.toBe('')
    const audited = await management.database.auditEntry.findMany({ where: { target: `project:${id}` } })
    expect(audited).toMatchObject([
      { action: 'project.created', organizationId: organization.id, actorUserId: organization.admin.id },
    ])
  })

  it('a slug is taken in its own organization only', async () => {
    await create('One', 'one')
    await expect(create('One', 'one')).rejects.toMatchObject({ code: 'slug_taken' })
    expect(await create('One')).toMatchObject({ slug: 'one-2' })
    const other = await management.newOrganization()
    const request = { organization_id: other.id, name: 'One', slug: 'one' }
    expect(await management.call(createProject, request, await other.admin.claims())).toMatchObject({
      slug: 'one',
    })
  })

  it('cannot be made in an organization that does not exist, though its grant does', async () => {
    const user = await management.newUser()
    const organizationId = randomUUID()
    await management.call(addFirstAdmin, { founded_organization_id: organizationId }, await user.claims())
    await expect(
      management.call(createProject, { organization_id: organizationId, name: 'x' }, await user.claims()),
    ).rejects.toMatchObject({ code: 'organization_not_found' })
  })

  it('are listed and shown to those who may see them', async () => {
    const seen = await create('Seen')
    const hidden = await create('Hidden')
    const member = await management.newMember(organization.id, 'member', [
      { project_id: seen.id, role: 'reader' },
    ])
    const byMember = await member.claims()
    expect(await slugs(byMember)).toEqual([seen.slug])
    const show = (id: string, by: string, organizationId = organization.id) =>
      management.call(showProject, { organization_id: organizationId, project_id: id }, by)
    expect(await show(seen.id, byMember)).toEqual(seen)
    await expect(show(hidden.id, byMember)).rejects.toMatchObject({ code: 'project_not_found' })

    const { token } = await management.call(
      createOrganizationToken,
      { organization_id: organization.id, description: 'CI' },
      claims,
    )
    const byToken = await management.claimsOf({ kind: 'organization_token', token })
    expect(await slugs(byToken)).toEqual(await slugs(claims))
    const beyond = { organization_id: organization.id, page: 1_000_000, per_page: 10_000 }
    expect((await management.call(listProjects, beyond, claims)).data).toEqual([])
    expect(await slugs(byToken)).toEqual(expect.arrayContaining([seen.slug, hidden.slug]))
  })

  it('are listed by page as one statement for the rows and one for their number give them', async () => {
    const { id: organization_id, admin } = await management.newOrganization()
    const byAdmin = await admin.claims()
    const projects = await Promise.all(
      ['b', 'a-b', 'ab', 'a', 'a0', 'z-1', 'z1', 'gone'].map((slug) =>
        management.call(createProject, { organization_id, name: slug, slug }, byAdmin),
      ),
    )
    const gone = { organizationId: organization_id, slug: 'gone' }
    await management.database.project.updateMany({ where: gone, data: { deletedAt: new Date() } })
    const seen = projects.filter(({ slug }) => slug.startsWith('a') || slug === 'gone').map(({ id }) => id)
    const member = await management.newMember(
      organization_id,
      'member',
      seen.map((project_id) => ({ project_id, role: 'reader' })),
    )
    const callers = [
      { by: byAdmin, visible: {} },
      { by: await member.claims(), visible: { id: { in: seen } } },
    ]
    for (const { by, visible } of callers)
      for (const per_page of [1, 3, 4, 100])
        for (const number of [1, 2, 3, 8]) {
          const where = { organizationId: organization_id, deletedAt: null, ...visible }
          const of = { page: number, per_page }
          const rows = await management.database.project.findMany({
            ...{ where, select: SHOWN, orderBy: { slug: 'asc' } },
            ...{ skip: (number - 1) * per_page, take: per_page },
          })
          const expected = page(rows.map(toProject), await management.database.project.count({ where }), of)
          expect(await management.call(listProjects, { organization_id, ...of }, by)).toEqual(expected)
        }
  })

  it("another organization's project is not found, by its own id either", async () => {
    const { id } = await create('Own')
    const other = await management.newOrganization()
    const byOther = await other.admin.claims()
    await expect(slugs(byOther)).rejects.toMatchObject({ code: 'organization_not_found' })
    await expect(
      management.call(showProject, { organization_id: other.id, project_id: id }, byOther),
    ).rejects.toMatchObject({ code: 'project_not_found' })
    expect(await slugs(byOther, other.id)).toEqual([])
  })

  it('an address gives the ids behind its slugs, and null where there is nothing', async () => {
    const { id, slug } = await create('Addressed')
    const other = await management.newOrganization()
    const resolve = (organizationSlug: string, project?: string) =>
      management.call(resolveScope, { organization: organizationSlug, project })
    const found = { organization_id: organization.id, project_id: id }
    expect(await resolve(organization.slug, slug)).toEqual(found)
    expect(await resolve(organization.slug)).toEqual({ ...found, project_id: null })
    expect(await resolve(organization.slug, 'nowhere')).toEqual({ ...found, project_id: null })
    expect(await resolve(other.slug, slug)).toEqual({ organization_id: other.id, project_id: null })
    expect(await resolve('nowhere', slug)).toEqual({ organization_id: null, project_id: null })
  })
})
