import { randomUUID } from 'node:crypto'
import { importLegacyTokens } from '@bearing/contracts/identity/tokens/legacy-token'
import { setMemberRole } from '@bearing/contracts/identity/members/member'
import {
  createOrganizationToken,
  deleteOrganizationToken,
  rotateOrganizationToken,
} from '@bearing/contracts/identity/tokens/organization-token'
import { changeOrganizationTokenPolicy } from '@bearing/contracts/identity/tokens/organization-token-policy'
import { createProjectKey, cycleProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { removeProjectMember, setProjectMember } from '@bearing/contracts/identity/members/project-member'
import { changeProjectSettings } from '@bearing/contracts/identity/credentials/project-settings'
import { changeSignInPolicy } from '@bearing/contracts/identity/sso/sign-in-policy'
import { addSsoDomain } from '@bearing/contracts/identity/sso/sso-domain'
import { grantMembership } from '@bearing/contracts/identity/people/user'
import type { Operation, Request } from '@bearing/contracts/operation'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin, type TestUser } from '../../testing/test-identity.js'

describe('claims from before a role was removed', () => {
  const identity = forSuite(() => TestIdentity.connect())
  let admin: TestAdmin
  let scope: { readonly organization_id: string; readonly project_id: string }
  let member: TestUser
  let tokenId: string

  beforeEach(async () => {
    admin = await identity.newAdmin()
    const organization_id = admin.organizationId
    scope = { organization_id, project_id: randomUUID() }
    await identity.call(createProjectKey, scope, admin.claims)
    member = await identity.newUser()
    await identity.callAsOperator(grantMembership, {
      organization_id,
      user_id: member.id,
      role: 'member',
      projects: [{ project_id: scope.project_id, role: 'reader' }],
    })
    tokenId = (await newToken()).id
  })

  const newToken = () =>
    identity.call(
      createOrganizationToken,
      { organization_id: admin.organizationId, description: 'CI' },
      admin.claims,
    )
  const claimsOf = ({ email, password }: TestUser) =>
    identity.claimsOf({ kind: 'user', email, secret: password })

  /** Somebody with a place, whose claims know of it, and who has it no more. */
  async function former(role: 'admin' | 'member', projectRole?: 'manager'): Promise<TestUser> {
    const user = await identity.newUser()
    await identity.callAsOperator(grantMembership, {
      organization_id: scope.organization_id,
      user_id: user.id,
      role,
      projects: projectRole ? [{ project_id: scope.project_id, role: projectRole }] : [],
    })
    const claims = await claimsOf(user)
    await identity.database.membership.deleteMany({ where: { userId: user.id } })
    return { ...user, claims }
  }

  async function expectDenied<O extends Operation>(
    operation: O,
    request: Request<O>,
    claims: string,
  ): Promise<void> {
    await expect(identity.call(operation, request, claims)).rejects.toMatchObject({
      code: 'permission_denied',
    })
  }

  /** Returns the rows of the organization. */
  async function rows() {
    const where = { organizationId: scope.organization_id }
    const { database } = identity
    return {
      tokens: await database.organizationToken.findMany({ where, orderBy: { id: 'asc' } }),
      legacy: await database.legacyToken.count({ where }),
      keys: await database.projectKey.findMany({ where, orderBy: { id: 'asc' } }),
      places: await database.membership.findMany({ where, orderBy: { userId: 'asc' } }),
      roles: await database.projectMember.findMany({ where, orderBy: { userId: 'asc' } }),
      domains: await database.ssoDomain.count({ where }),
      rule: await database.organizationRule.findMany({ where }),
    }
  }

  it('create no credential and grant nothing if an admin was removed a moment ago', async () => {
    const { claims, id: user_id } = await former('admin')
    const before = await rows()
    const { organization_id } = scope
    await expectDenied(createOrganizationToken, { organization_id, description: 'mine' }, claims)
    const rotation = { organization_id, organization_token_id: tokenId, grace_seconds: 0 }
    await expectDenied(rotateOrganizationToken, rotation, claims)
    await expectDenied(changeOrganizationTokenPolicy, { organization_id, max_lifetime_days: null }, claims)
    const sha256 = randomUUID().replaceAll('-', '').repeat(2)
    const sunset_at = new Date(Date.now() + 86_400_000).toISOString()
    const tokens = [{ sha256, kind: 'service' as const, description: 'mine' }]
    await expectDenied(importLegacyTokens, { organization_id, sunset_at, tokens }, claims)
    await expectDenied(createProjectKey, { organization_id, project_id: randomUUID() }, claims)
    await expectDenied(cycleProjectKey, { ...scope, grace_seconds: 0 }, claims)
    await expectDenied(changeProjectSettings, { ...scope, project_key_may_locate: true }, claims)
    await expectDenied(setProjectMember, { ...scope, user_id: member.id, role: 'manager' }, claims)
    await expectDenied(setMemberRole, { organization_id, user_id: member.id, role: 'admin' }, claims)
    await expectDenied(setMemberRole, { organization_id, user_id, role: 'admin' }, claims)
    await expectDenied(addSsoDomain, { organization_id, domain: 'evil.example' }, claims)
    await expectDenied(changeSignInPolicy, { organization_id, sso_required: false }, claims)
    expect(await rows()).toEqual(before)
  })

  it('grant nothing where a manager of the project was removed a moment ago', async () => {
    const { claims } = await former('member', 'manager')
    const before = await rows()
    const memberScope = { ...scope, user_id: member.id }
    await expectDenied(setProjectMember, { ...memberScope, role: 'manager' }, claims)
    await expectDenied(removeProjectMember, memberScope, claims)
    await expectDenied(cycleProjectKey, { ...scope, grace_seconds: 0 }, claims)
    await expectDenied(changeProjectSettings, { ...scope, project_key_may_locate: true }, claims)
    expect(await rows()).toEqual(before)
  })

  it('change nothing where the organization token was deleted a moment ago', async () => {
    const { id, token } = await newToken()
    const claims = await identity.claimsOf({ kind: 'organization_token', token })
    const request = { ...scope, project_key_may_locate: true }
    await identity.call(changeProjectSettings, request, claims)
    await identity.call(
      deleteOrganizationToken,
      { organization_id: scope.organization_id, organization_token_id: id },
      admin.claims,
    )
    const before = await rows()
    await expectDenied(changeProjectSettings, { ...request, project_key_may_locate: false }, claims)
    await expectDenied(cycleProjectKey, { ...scope, grace_seconds: 0 }, claims)
    expect(await rows()).toEqual(before)
  })

  it('two managers who remove each other’s role concurrently do not deadlock', async () => {
    for (let round = 0; round < 5; round++) {
      const managers = [await identity.newUser(), await identity.newUser()]
      for (const { id: user_id } of managers)
        await identity.callAsOperator(grantMembership, {
          organization_id: scope.organization_id,
          user_id,
          role: 'member',
          projects: [{ project_id: scope.project_id, role: 'manager' }],
        })
      const claims = await Promise.all(managers.map(claimsOf))
      const outcomes = await Promise.allSettled(
        managers.map(({ id: user_id }, index) =>
          identity.call(setProjectMember, { ...scope, user_id, role: 'reader' }, claims[1 - index]),
        ),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'permission_denied' })
    }
  })
})
