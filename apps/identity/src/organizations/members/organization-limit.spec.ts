import { randomUUID } from 'node:crypto'
import { acceptInvitation } from '@bearing/contracts/identity/members/invitation'
import { createOrganizationToken } from '@bearing/contracts/identity/tokens/organization-token'
import { cycleUserKey } from '@bearing/contracts/identity/people/user-key'
import {
  MAX_ORGANIZATIONS_OF_USER,
  addFirstAdmin,
  grantMembership,
} from '@bearing/contracts/identity/people/user'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { hashLinkSecret } from '../../ground/rules/link-secret.js'
import { TestIdentity, type TestAdmin } from '../../testing/test-identity.js'

describe('who belongs to as many organizations as a user may', () => {
  const identity = forSuite(() => TestIdentity.connect())
  let user: TestAdmin

  beforeEach(async () => {
    user = await identity.newAdmin()
    await joinOthers(MAX_ORGANIZATIONS_OF_USER - 1)
  })

  const joinOthers = (count: number) =>
    identity.database.membership.createMany({
      data: Array.from({ length: count }, () => ({
        userId: user.id,
        organizationId: randomUUID(),
        role: 'member',
      })),
    })
  const found = () => identity.call(addFirstAdmin, { founded_organization_id: randomUUID() }, user.claims)
  const count = () => identity.database.membership.count({ where: { userId: user.id } })
  const leaveOne = async () => {
    const where = { userId: user.id, organizationId: { not: user.organizationId } }
    const place = await identity.database.membership.findFirstOrThrow({
      where,
      select: { userId: true, organizationId: true },
    })
    await identity.database.membership.delete({ where: { userId_organizationId: place } })
  }
  const tooMany = { code: 'too_many_organizations', status: 409 }

  /** An invitation for the user, as the mail has its link. */
  async function invite(admin: TestAdmin): Promise<string> {
    const secret = randomUUID().replaceAll('-', '').padEnd(43, 'A')
    await identity.database.invitation.create({
      data: {
        id: randomUUID(),
        organizationId: admin.organizationId,
        email: user.email,
        role: 'member',
        projects: [],
        secretHash: hashLinkSecret(secret),
        sentAt: new Date(),
        expiresAt: new Date(Date.now() + 3_600_000),
        invitedBy: admin.id,
      },
    })
    return secret
  }

  it('creates no other one, until they have left one', async () => {
    await expect(found()).rejects.toMatchObject(tooMany)
    await leaveOne()
    await found()
    expect(await count()).toBe(MAX_ORGANIZATIONS_OF_USER)
  })

  it('joins no other one by invitation, and the invitation still works when they have left one', async () => {
    const secret = await invite(await identity.newAdmin())
    await expect(identity.call(acceptInvitation, { secret })).rejects.toMatchObject(tooMany)
    await leaveOne()
    expect(await identity.call(acceptInvitation, { secret })).toMatchObject({ user_id: user.id })
  })

  it('does everything else, also in an organization that invites them once more', async () => {
    const { organizationId: organization_id, claims } = user
    await identity.call(createOrganizationToken, { organization_id, description: 'CI' }, claims)
    await identity.call(cycleUserKey, {}, claims)
    const secret = await invite(user)
    expect(await identity.call(acceptInvitation, { secret })).toMatchObject({ organization_id })
  })

  it('is let in by operators all the same', async () => {
    const { organizationId: organization_id } = await identity.newAdmin()
    await identity.callAsOperator(grantMembership, { organization_id, user_id: user.id, role: 'member' })
    expect(await count()).toBe(MAX_ORGANIZATIONS_OF_USER + 1)
  })

  it('does not exceed the limit by creating several concurrently', async () => {
    await leaveOne()
    const outcomes = await Promise.allSettled([found(), found(), found(), found()])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(tooMany)
  })
})
