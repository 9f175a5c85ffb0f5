import type { BearingClient } from '@bearing/client/client'
import type { CallInput } from '@bearing/client/call-types'
import type { Permission } from '@bearing/contracts/permission'
import { clientFor, newOrganization, newProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { auditedIn } from '../tools/audited.js'

type Wanted = Partial<CallInput<'deriveOrganizationToken'>>
type Created = Partial<CallInput<'createOrganizationToken'>>

const REFUSED = { code: 'credential_invalid' }
const PERMISSIONS: Permission[] = ['project:list', 'project:read', 'organization-token:derive']

describe('a derived token', () => {
  const own = forSuite(() => newOrganization())
  let organization: string

  beforeAll(() => {
    organization = own.slug
  })

  /** The token at each gateway, so that all have cached it. */
  const clientsOf = (token: string) =>
    testStack().gatewayUrls.map((_, gateway) =>
      clientFor({ kind: 'organization_token', token }, testStack(), gateway),
    )
  const create = async (wanted: Created = {}) => {
    const input = { organization, description: 'parent', permissions: PERMISSIONS, ...wanted }
    const created = await own.admin.client.call('createOrganizationToken', input)
    const [client] = clientsOf(created.token)
    if (!client) throw new Error('the stack has no gateway')
    return { ...created, client }
  }
  const derive = async (from: BearingClient, wanted: Wanted = {}) => {
    const derived = await from.call('deriveOrganizationToken', { organization, ...wanted })
    const [client] = clientsOf(derived.token)
    if (!client) throw new Error('the stack has no gateway')
    return { ...derived, client, clients: clientsOf(derived.token) }
  }
  const use = (client: BearingClient) => client.call('listProjects', { organization })
  const remove = (id: string) =>
    own.admin.client.call('deleteOrganizationToken', { organization, organization_token_id: id })

  it('has what its parent has, without the right to derive, for one hour, unless it asks for less', async () => {
    const parent = await create()
    const derived = await derive(parent.client)
    expect(derived).toMatchObject({
      derived_from: parent.id,
      description: 'parent',
      permissions: ['project:list', 'project:read'],
    })
    expect(Date.parse(derived.expires_at ?? '') - Date.parse(derived.created_at)).toBe(3_600_000)
    const less = await derive(parent.client, {
      permissions: ['project:read'],
      project_ids: [own.project.id],
      expires_in: 60,
    })
    expect(less).toMatchObject({ permissions: ['project:read'], project_ids: [own.project.id] })
    await expect(derive(derived.client)).rejects.toMatchObject({ code: 'permission_denied' })
  })

  it('never has more permissions, projects, networks or time than its parent', async () => {
    const [other, expires_at] = [await newProject(own), new Date(Date.now() + 60_000).toISOString()]
    const parent = await create({
      ...{ project_ids: [own.project.id], allowed_addresses: ['127.0.0.0/8', '::1'], expires_at },
    })
    const refused = (wanted: Wanted, pointer: string) =>
      expect(derive(parent.client, wanted)).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining(pointer),
      })
    await refused({ permissions: ['device:read'] }, '/permissions/0')
    await refused({ project_ids: [other.id] }, '/project_ids/0')
    await refused({ allowed_addresses: ['127.0.0.1', '0.0.0.0/0'] }, '/allowed_addresses/1')
    await refused({ expires_in: 86_401 }, '/expires_in')
    const derived = await derive(parent.client, { allowed_addresses: ['127.0.0.1'], expires_in: 86_400 })
    expect(derived).toMatchObject({ allowed_addresses: ['127.0.0.1/32'], expires_at })
    expect(derived.project_ids).toEqual([own.project.id])
    expect((await derive(parent.client, { allowed_addresses: [] })).allowed_addresses).toHaveLength(2)
  })

  it('is the last of its chain if it is the third', async () => {
    const second = await derive((await create()).client, { permissions: PERMISSIONS })
    await expect(derive(second.client, { permissions: PERMISSIONS })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('/permissions must not'),
    })
    const third = await derive(second.client)
    await expect(derive(third.client)).rejects.toMatchObject({ code: 'permission_denied' })
  })

  // The promise of a revocation: the reply to the deletion comes after every gateway has it.
  it('ends in milliseconds at every gateway when its parent, or the parent of that, is deleted', async () => {
    const root = await create()
    const second = await derive(root.client, { permissions: PERMISSIONS })
    const third = await derive(second.client)
    const all = [...second.clients, ...third.clients]
    await Promise.all(all.map(use))
    await remove(root.id)
    const began = performance.now()
    for (const each of all) await expect(use(each)).rejects.toMatchObject(REFUSED)
    expect(performance.now() - began).toBeLessThan(5_000)
    await expect(derive(second.client)).rejects.toMatchObject(REFUSED)
  })

  it('survives neither the rotation of its parent nor its report as leaked', async () => {
    const [rotated, leaked] = [await create(), await create()]
    const [ofRotated, ofLeaked] = [await derive(rotated.client), await derive(leaked.client)]
    await Promise.all([...ofRotated.clients, ...ofLeaked.clients].map(use))
    await own.admin.client.call('rotateOrganizationToken', {
      ...{ organization, organization_token_id: rotated.id, grace_seconds: 0 },
    })
    await own.admin.client.call('reportLeak', { secret: leaked.token })
    for (const each of ofRotated.clients)
      await expect(use(each)).rejects.toMatchObject({ code: 'credential_expired' })
    for (const each of ofLeaked.clients) await expect(use(each)).rejects.toMatchObject(REFUSED)
  })

  it('is not rotated, is listed with its parent alone, and is in the audit log as an act of its parent', async () => {
    const parent = await create()
    const { id } = await derive(parent.client)
    await expect(
      own.admin.client.call('rotateOrganizationToken', { organization, organization_token_id: id }),
    ).rejects.toMatchObject({ code: 'organization_token_conflict' })
    const listed = async (derived_from?: string) => {
      const input = { organization, ...(derived_from !== undefined && { derived_from }) }
      const { data } = await own.admin.client.call('listOrganizationTokens', input)
      return data.map((token) => token.id)
    }
    expect(await listed()).not.toContain(id)
    expect(await listed(parent.id)).toEqual([id])
    expect(await auditedIn('identity', own)).toContainEqual(
      expect.objectContaining({
        ...{ action: 'organization_token.derived', target: `organization_token:${id}` },
        actor_credential_id: parent.id,
      }),
    )
  })

  it('of two that are derived while the parent is deleted, none remains', async () => {
    const parent = await create()
    await use(parent.client)
    const [, ...outcomes] = await Promise.all([
      remove(parent.id),
      ...Array.from({ length: 8 }, () => derive(parent.client).catch(() => undefined)),
    ])
    for (const derived of outcomes)
      if (derived) await expect(use(derived.client)).rejects.toMatchObject(REFUSED)
  })
})
