import { randomUUID } from 'node:crypto'
import {
  createOrganizationToken,
  deleteOrganizationToken,
  rotateOrganizationToken,
} from '@bearing/contracts/identity/tokens/organization-token'
import { createInvitation } from '@bearing/contracts/identity/members/invitation'
import { createProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { setProjectMember } from '@bearing/contracts/identity/members/project-member'
import {
  MAX_OPEN_INVITATIONS,
  MAX_PROJECT_ROLES_OF_MEMBER,
  MAX_SSO_DOMAINS,
} from '@bearing/contracts/counts/quota'
import { addSsoDomain } from '@bearing/contracts/identity/sso/sso-domain'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin } from '../../testing/test-identity.js'

const LIMIT = 5

describe('what an organization may have in identity', () => {
  const stack = namedStack('small-limits')
  const identity = forSuite(() => TestIdentity.connect(stack))

  const create = ({ organizationId: organization_id, claims }: TestAdmin, more: object = {}) =>
    identity.call(createOrganizationToken, { organization_id, description: 'CI', ...more }, claims)
  const rotate = (admin: TestAdmin, organization_token_id: string, grace_seconds = 0) =>
    identity.call(
      rotateOrganizationToken,
      { organization_id: admin.organizationId, organization_token_id, grace_seconds },
      admin.claims,
    )
  const codeOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'done',
      (error: unknown) => (error as { code?: string }).code,
    )
  const working = (organizationId: string) =>
    identity.database.organizationToken.count({ where: { organizationId, deletedAt: null } })

  it('is never more tokens than the limit, however many are created at the same moment', async () => {
    const [own, other] = [await identity.newAdmin(), await identity.newAdmin()]
    const codes = await Promise.all(Array.from({ length: 12 }, () => codeOf(create(own))))
    expect(codes.filter((code) => code === 'done')).toHaveLength(LIMIT)
    expect(codes.filter((code) => code === 'quota_exceeded')).toHaveLength(12 - LIMIT)
    expect(await working(own.organizationId)).toBe(LIMIT)
    await expect(create(own)).rejects.toMatchObject({
      details: { quota: { resource: 'organization_tokens', limit: LIMIT, raised_by: 'nobody' } },
    })
    expect(await codeOf(create(other))).toBe('done')
  })

  it('counts neither deleted nor expired tokens', async () => {
    const own = await identity.newAdmin()
    const tokens = []
    for (let n = 0; n < LIMIT; n++) tokens.push(await create(own))
    const [deleted, expired] = tokens
    await identity.call(
      deleteOrganizationToken,
      { organization_id: own.organizationId, organization_token_id: deleted?.id ?? '' },
      own.claims,
    )
    await identity.database.organizationToken.update({
      where: { id: expired?.id ?? '' },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    })
    expect([await codeOf(create(own)), await codeOf(create(own)), await codeOf(create(own))]).toEqual([
      ...['done', 'done', 'quota_exceeded'],
    ])
  })

  it('lets every token be rotated with a grace period at the limit, and ends chains of rotations at twice the limit', async () => {
    const own = await identity.newAdmin()
    const tokens = []
    for (let n = 0; n < LIMIT; n++) tokens.push(await create(own))
    let last = ''
    for (const { id } of tokens) last = (await rotate(own, id, 3_600)).id
    expect(await working(own.organizationId)).toBe(2 * LIMIT)
    expect(await codeOf(rotate(own, last, 3_600))).toBe('quota_exceeded')
  })

  it('lets a token be replaced immediately, however many work', async () => {
    const own = await identity.newAdmin()
    const { id } = await create(own)
    const { workload: _, ...row } = await identity.database.organizationToken.findUniqueOrThrow({
      where: { id },
    })
    await identity.database.organizationToken.createMany({
      data: Array.from({ length: 2 * LIMIT }, () => ({ ...row, id: randomUUID() })),
    })
    expect(await codeOf(rotate(own, id))).toBe('done')
  })

  it('is a bounded number of SSO domains, open invitations, and roles of one member', async () => {
    const own = await identity.newAdmin()
    const { organizationId } = own
    const scope = { organization_id: organizationId }
    await identity.database.ssoDomain.createMany({
      data: Array.from({ length: MAX_SSO_DOMAINS }, (_, n) => ({
        ...{ organizationId, domain: `d${String(n)}.example`, token: String(n) },
      })),
    })
    expect(await codeOf(identity.call(addSsoDomain, { ...scope, domain: 'one.example' }, own.claims))).toBe(
      'quota_exceeded',
    )
    const [sentAt, expiresAt] = [new Date(), new Date(Date.now() + 3_600_000)]
    await identity.database.invitation.createMany({
      data: Array.from({ length: MAX_OPEN_INVITATIONS }, () => ({
        ...{ id: randomUUID(), organizationId, email: `${randomUUID()}@example.com`, role: 'member' },
        ...{ projects: [], sentAt, expiresAt, invitedBy: own.id },
      })),
    })
    const invitation = { ...scope, role: 'member' as const, email: `${randomUUID()}@example.com` }
    expect(await codeOf(identity.call(createInvitation, invitation, own.claims))).toBe('quota_exceeded')
    await identity.database.projectMember.createMany({
      data: Array.from({ length: MAX_PROJECT_ROLES_OF_MEMBER }, () => ({
        ...{ userId: own.id, organizationId, projectId: randomUUID(), role: 'reader' },
      })),
    })
    const project_id = randomUUID()
    await identity.call(createProjectKey, { ...scope, project_id }, own.claims)
    const member = { ...scope, project_id, user_id: own.id, role: 'reader' as const }
    expect(await codeOf(identity.call(setProjectMember, member, own.claims))).toBe('quota_exceeded')
  })
})
