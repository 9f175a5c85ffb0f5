import { randomUUID } from 'node:crypto'
import {
  createOrganization,
  organizationChanged,
  renameOrganization,
} from '@bearing/contracts/management/tenancy/organization'
import { createProject, renameProject } from '@bearing/contracts/management/tenancy/project'
import { onEvent } from '@bearing/nats/events'
import { eventually } from '@bearing/testing/eventually'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestManagement } from '../../testing/test-management.js'
import { MAX_RESERVED_SLUGS } from './reserve-slug.js'

const REPETITIONS = 20

describe('slugs', () => {
  const management = forSuite(() => TestManagement.connect())
  const organization = forSuite(() => management.newOrganization())

  const slug = () => `slug-${randomUUID()}`
  const rename = async (owner: typeof organization, names: { name?: string; slug?: string }) =>
    management.call(renameOrganization, { organization_id: owner.id, ...names }, await owner.admin.claims())

  it('a former slug goes to nobody else, even if somebody asks for it during the rename', async () => {
    const other = await management.newUser()
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      const former = slug()
      // Renames to the former slug first, without a reservation that stays.
      await management.database.organization.update({
        where: { id: organization.id },
        data: { slug: former },
      })
      await management.database.reservedSlug.deleteMany({ where: { ownerId: organization.id } })
      const claims = await other.claims()
      const [renamed, created] = await Promise.allSettled([
        rename(organization, { slug: slug() }),
        management.call(createOrganization, { name: 'Other', slug: former }, claims),
      ])
      expect(renamed).toMatchObject({ status: 'fulfilled' })
      expect(created).toMatchObject({
        status: 'rejected',
        reason: { code: expect.stringMatching(/^slug_(?:taken|reserved)$/) },
      })
    }
  })

  it('a slug that is derived from a name is never one that is reserved', async () => {
    const owner = await management.newOrganization()
    const claims = await owner.admin.claims()
    const inOrganization = { organization_id: owner.id }
    const first = await management.call(createProject, { ...inOrganization, name: 'Fleet' }, claims)
    const renamed = { ...inOrganization, project_id: first.id, slug: 'other' }
    await management.call(renameProject, renamed, claims)
    expect(await management.call(createProject, { ...inOrganization, name: 'Fleet' }, claims)).toMatchObject({
      slug: 'fleet-2',
    })
    await expect(
      management.call(createProject, { ...inOrganization, name: 'Fleet', slug: 'fleet' }, claims),
    ).rejects.toMatchObject({ code: 'slug_reserved' })
    await expect(
      management.call(renameProject, { ...inOrganization, project_id: randomUUID(), name: 'x' }, claims),
    ).rejects.toMatchObject({ code: 'project_not_found' })
  })

  it(`an organization keeps at most ${MAX_RESERVED_SLUGS} slugs reserved, and can still take one back`, async () => {
    const owner = await management.newOrganization()
    for (let count = 0; count < MAX_RESERVED_SLUGS; count++) await rename(owner, { slug: slug() })
    await expect(rename(owner, { slug: slug() })).rejects.toMatchObject({
      code: 'quota_exceeded',
      details: { quota: { resource: 'reserved_slugs', limit: MAX_RESERVED_SLUGS, raised_by: 'nobody' } },
    })
    expect(await rename(owner, { slug: owner.slug })).toMatchObject({ slug: owner.slug })
    expect(await rename(owner, { name: 'Names are not limited' })).toMatchObject({ slug: owner.slug })
  })

  it('an event names the new and the former slug; a rename that changes nothing has neither event nor audit entry', async () => {
    const owner = await management.newOrganization()
    const events: unknown[] = []
    const unreadable = (error: unknown) => {
      throw error
    }
    onEvent(management.connection, organizationChanged, (data) => events.push(data), unreadable)
    await management.connection.raw.flush()
    await rename(owner, { name: owner.name, slug: owner.slug })
    const names = { name: 'New', slug: slug() }
    await rename(owner, names)
    await eventually(() => {
      expect(events).toContainEqual({
        ...names,
        id: expect.any(String),
        organization_id: owner.id,
        former_slug: owner.slug,
      })
    })
    expect(events).toHaveLength(1)
    const where = { action: 'organization.changed', organizationId: owner.id }
    expect(await management.database.auditEntry.count({ where })).toBe(1)
  })
})
