import { randomUUID } from 'node:crypto'
import {
  authorizeCredential,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import {
  createOrganizationToken,
  deleteOrganizationToken,
} from '@bearing/contracts/identity/tokens/organization-token'
import { createProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import type { Request } from '@bearing/contracts/operation'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin } from '../testing/test-identity.js'

type Question = Request<typeof authorizeCredential>

const presented = (claims: string) => ({ kind: 'claims', claims, audience: 'identity' }) as const

describe('authorizing a credential', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const admin = forSuite(() => identity.newAdmin())
  let credential: PresentedCredential
  let project_id: string

  const authorize = (question: Partial<Question>) =>
    identity.call(authorizeCredential, {
      credential,
      permission: 'location:resolve',
      organization_id: admin.organizationId,
      project_id,
      ...question,
    })
  const newToken = async (more: object = {}) => {
    const request = { organization_id: admin.organizationId, description: 'CI', ...more }
    const { id, token } = await identity.call(createOrganizationToken, request, admin.claims)
    return { id, credential: { kind: 'organization_token', token } as const }
  }
  const newProject = async (of: TestAdmin) => {
    const project = { organization_id: of.organizationId, project_id: randomUUID() }
    return { ...project, ...(await identity.call(createProjectKey, project, of.claims)) }
  }

  beforeAll(async () => {
    ;({ credential } = await newToken())
    ;({ project_id } = await newProject(admin))
  })

  it('is yes with the principal, and no with the reason that a gateway would give', async () => {
    expect(await authorize({})).toMatchObject({
      allowed: true,
      principal: { kind: 'organization_token', organization_id: admin.organizationId },
    })
    expect(await authorize({ permission: 'organization-token:create' })).toEqual({
      allowed: false,
      code: 'permission_denied',
      reason:
        'The credential does not have the permission "organization-token:create" here. No organization token has it: authenticate as a user.',
    })
    expect(await authorize({ organization_id: randomUUID() })).toMatchObject({
      code: 'organization_not_found',
    })
    expect(await authorize({ permission: 'user-key:read' })).toMatchObject({ code: 'user_required' })
  })

  it("is no for somebody else's project, also where its id is known", async () => {
    const foreign = await newProject(await identity.newAdmin())
    for (const id of [foreign.project_id, randomUUID(), undefined])
      for (const by of [credential, presented(identity.claimsFor(admin.claims, admin.organizationId))])
        expect(await authorize({ credential: by, project_id: id })).toMatchObject({
          allowed: false,
          code: 'project_not_found',
        })
  })

  it('is no for what is no credential, or not any more', async () => {
    const deleted = await newToken()
    const { id: organization_token_id } = deleted
    const { organizationId: organization_id } = admin
    await identity.call(deleteOrganizationToken, { organization_id, organization_token_id }, admin.claims)
    expect(await authorize({ credential: deleted.credential })).toMatchObject({
      allowed: false,
      code: 'credential_invalid',
    })
    expect(await authorize({ credential: { kind: 'organization_token', token: 'brgo_x' } })).toMatchObject({
      code: 'credential_malformed',
    })
    const expired = await newToken()
    await identity.database.organizationToken.update({
      where: { id: expired.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    })
    expect(await authorize({ credential: expired.credential })).toMatchObject({ code: 'credential_expired' })
  })

  it('of a token that is bound to addresses depends on where it came from', async () => {
    const bound = await newToken({ allowed_addresses: ['203.0.113.0/24'] })
    const from = (client_address?: string) =>
      authorize({ credential: bound.credential, ...(client_address && { client_address }) })
    expect(await from('203.0.113.9')).toMatchObject({ allowed: true })
    expect(await from('198.51.100.9')).toMatchObject({ code: 'address_not_allowed' })
    expect(await from()).toMatchObject({ code: 'address_not_allowed' })
    const credential = presented(await identity.claimsOf(bound.credential))
    expect(await authorize({ credential })).toMatchObject({ allowed: true })
    expect(await authorize({ credential, client_address: '198.51.100.9' })).toMatchObject({
      code: 'address_not_allowed',
    })
  })

  it('is no where the organization requires single sign-on, and the user came without', async () => {
    const strict = await identity.newAdmin()
    await identity.database.organizationRule.update({
      where: { organizationId: strict.organizationId },
      data: { ssoRequired: true },
    })
    const { claims } = (await identity.introspect(
      { kind: 'user', email: strict.email, secret: strict.password },
      { fresh: true, audience: 'identity', organization_id: strict.organizationId },
    )) as { claims: string }
    expect(
      await authorize({
        credential: presented(claims),
        permission: 'project:list',
        organization_id: strict.organizationId,
      }),
    ).toMatchObject({ code: 'sso_required' })
  })

  it('takes claims that identity has signed, and no others', async () => {
    const own = { permission: 'member:read', organization_id: admin.organizationId } as const
    expect(
      await authorize({
        ...own,
        credential: presented(identity.claimsFor(admin.claims, admin.organizationId)),
      }),
    ).toMatchObject({
      allowed: true,
      principal: { kind: 'user', user_id: admin.id },
    })
    const forged = `${identity.claimsFor(admin.claims, admin.organizationId).slice(0, -6)}AAAAAA`
    expect(await authorize({ ...own, credential: presented(forged) })).toMatchObject({
      allowed: false,
      code: 'credential_invalid',
    })
  })

  it('refuses a question that is none', async () => {
    await expect(authorize({ permission: 'project:fly' as 'project:read' })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ pointer: '/permission' }] },
    })
  })
})
