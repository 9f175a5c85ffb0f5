import { randomUUID } from 'node:crypto'
import { BOUND_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import { TOKEN_DERIVE } from '@bearing/contracts/identity/tokens/token-presets'
import { listAuditEntries } from '@bearing/contracts/identity/audit/audit-log'
import { authorizeCredential } from '@bearing/contracts/identity/credentials/credential'
import {
  createOrganizationToken,
  listOrganizationTokens,
  rotateOrganizationToken,
} from '@bearing/contracts/identity/tokens/organization-token'
import { createProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { setTenantState } from '@bearing/contracts/identity/members/tenant'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin } from '../../testing/test-identity.js'

describe('organization tokens that are bound to projects', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const admin = forSuite(() => identity.newAdmin())
  let first: string
  let second: string

  beforeAll(async () => {
    ;[first, second] = [await newProject(admin), await newProject(admin)]
  })

  const newProject = async ({ organizationId, claims }: TestAdmin) => {
    const project_id = randomUUID()
    await identity.call(createProjectKey, { organization_id: organizationId, project_id }, claims)
    return project_id
  }
  const create = (more: object = {}) =>
    identity.call(
      createOrganizationToken,
      { organization_id: admin.organizationId, description: 'CI', ...more },
      admin.claims,
    )
  const rotate = (organization_token_id: string, project_ids?: string[]) =>
    identity.call(
      rotateOrganizationToken,
      { organization_id: admin.organizationId, organization_token_id, project_ids },
      admin.claims,
    )
  const principalOf = async (token: string) => {
    const found = await identity.introspect({ kind: 'organization_token', token })
    return found.active ? found.principal : undefined
  }
  const decide = async (token: string, project_id: string) => {
    const decision = await identity.call(authorizeCredential, {
      credential: { kind: 'organization_token', token },
      permission: 'location:resolve',
      organization_id: admin.organizationId,
      project_id,
    })
    return decision.allowed ? 'allowed' : decision.code
  }

  it('carry the binding in their principal, and their permissions only within it', async () => {
    const permissions = BOUND_TOKEN_PERMISSIONS.filter((permission) => permission !== TOKEN_DERIVE)
    const created = await create({ project_ids: [first, first.toUpperCase()] })
    expect(created).toMatchObject({ project_ids: [first] })
    expect(created.permissions.toSorted()).toEqual(permissions.toSorted())
    expect(await principalOf(created.token)).toMatchObject({
      permissions: [],
      project_binding: { project_ids: [first], permissions },
    })
    const row = await identity.database.organizationToken.findUnique({ where: { id: created.id } })
    expect(row).toMatchObject({ permissions: [], boundProjectIds: [first] })
  })

  it('are allowed on their projects and not found on others when a service asks over NATS', async () => {
    const { token } = await create({ project_ids: [first] })
    expect(await decide(token, first)).toBe('allowed')
    expect(await decide(token, second)).toBe('project_not_found')
  })

  it('are listed with their projects, and those that are not bound with none', async () => {
    const [one, all] = [await create({ project_ids: [first, second] }), await create()]
    const { data } = await identity.call(
      listOrganizationTokens,
      { organization_id: admin.organizationId, per_page: 100 },
      admin.claims,
    )
    const listed = (id: string) => data.find((token) => token.id === id)?.project_ids
    expect(listed(one.id)).toEqual([first, second])
    expect(listed(all.id)).toBeNull()
  })

  it("cannot be bound to another organization's project, or to one that does not exist", async () => {
    const foreign = await newProject(await identity.newAdmin())
    for (const id of [foreign, randomUUID()])
      await expect(create({ project_ids: [first, id] })).rejects.toMatchObject({ code: 'project_not_found' })
  })

  it('cannot have permissions on the whole organization', async () => {
    await expect(
      create({ project_ids: [first], permissions: ['project:list', 'access-point:export'] }),
    ).rejects.toMatchObject({ code: 'invalid_input', details: { errors: [{ pointer: '/permissions/1' }] } })
  })

  it('keep their binding when they are rotated', async () => {
    const rotated = await rotate((await create({ project_ids: [first, second] })).id)
    expect(rotated.project_ids).toEqual([first, second])
    expect(await decide(rotated.token, second)).toBe('allowed')
  })

  it('can be narrowed by rotation, also from all projects, and lose what a bound token cannot have', async () => {
    const all = await create({ permissions: ['location:resolve', 'access-point:import'] })
    const two = await rotate(all.id, [first, second])
    expect(two).toMatchObject({ project_ids: [first, second], permissions: ['location:resolve'] })
    const one = await rotate(two.id, [second])
    expect(one.project_ids).toEqual([second])
    expect(await decide(one.token, first)).toBe('project_not_found')
    expect(await decide(one.token, second)).toBe('allowed')
  })

  it('cannot be widened by rotation', async () => {
    const { id } = await create({ project_ids: [first] })
    await expect(rotate(id, [first, second])).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ pointer: '/project_ids/1' }] },
    })
  })

  it('are not made by a rotation that would leave no permission', async () => {
    const { id } = await create({ permissions: ['access-point:import'] })
    await expect(rotate(id, [first])).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ pointer: '/project_ids' }] },
    })
  })

  it('stop when all their projects are deleted, although they are cached, and work again after a restoration', async () => {
    const [one, both] = [await newProject(admin), await newProject(admin)]
    const stopped = await create({ project_ids: [one] })
    const bound = await create({ project_ids: [one, both] })
    const unbound = await create()
    let version = 0
    const set = (project_id: string, state: 'active' | 'stopped') =>
      identity.call(setTenantState, {
        ...{ organization_id: admin.organizationId, project_id, state, version: ++version },
        ...{ deleted_at: new Date().toISOString(), erase_after: null },
      })
    const states = () =>
      Promise.all(
        [stopped, bound, unbound].map(async ({ token }) => {
          const found = await identity.introspect({ kind: 'organization_token', token })
          return found.active ? 'active' : (found.because ?? found.reason)
        }),
      )
    expect(await states()).toEqual(['active', 'active', 'active'])
    await set(one, 'stopped')
    expect(await states()).toEqual(['project_deleted', 'active', 'active'])
    await set(both, 'stopped')
    expect(await states()).toEqual(['project_deleted', 'project_deleted', 'active'])
    await set(one, 'active')
    expect(await states()).toEqual(['active', 'active', 'active'])
  })

  it('are in the audit log with their projects', async () => {
    const { id } = await create({ project_ids: [first] })
    const { data } = await identity.call(
      listAuditEntries,
      { organization_id: admin.organizationId, target: `organization_token:${id}` },
      admin.claims,
    )
    expect(data).toMatchObject([{ action: 'organization_token.created', details: { project_ids: [first] } }])
  })
})
