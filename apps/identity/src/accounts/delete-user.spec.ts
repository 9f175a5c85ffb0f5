import { randomUUID } from 'node:crypto'
import { credentialChanged } from '@bearing/contracts/identity/credentials/credential'
import { membershipChanged, removeMember, setMemberRole } from '@bearing/contracts/identity/members/member'
import { createOrganizationToken } from '@bearing/contracts/identity/tokens/organization-token'
import { createProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { setProjectMember } from '@bearing/contracts/identity/members/project-member'
import {
  createUser,
  deleteOwnAccount,
  deleteUser,
  addFirstAdmin,
  grantMembership,
  userDeleted,
} from '@bearing/contracts/identity/people/user'
import { cycleUserKey } from '@bearing/contracts/identity/people/user-key'
import type { EventData } from '@bearing/contracts/operation'
import type { OrganizationRole } from '@bearing/contracts/principal'
import { onEvent } from '@bearing/nats/events'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin, type TestUser } from '../testing/test-identity.js'

describe('deleting a user', () => {
  const identity = forSuite(() => TestIdentity.connect())
  let admin: TestAdmin
  const changed: string[] = []
  /** By the id of the event: an event may be published twice, and consumers recognize it by its id. */
  const ended = new Map<string, EventData<typeof membershipChanged>>()
  const deleted = new Map<string, string>()

  beforeAll(() => {
    const { connection } = identity
    const ignore = () => undefined
    onEvent(connection, credentialChanged, ({ tags }) => changed.push(...tags), ignore)
    onEvent(
      connection,
      membershipChanged,
      (event) => event.role === null && ended.set(event.id, event),
      ignore,
    )
    onEvent(connection, userDeleted, ({ id, user_id }) => deleted.set(id, user_id), ignore)
  })

  beforeEach(async () => {
    admin = await identity.newAdmin()
  })

  const passwordOf = ({ email, password }: TestUser) => ({ kind: 'user', email, secret: password }) as const
  const join = async (user: TestUser, { organizationId }: TestAdmin, role: OrganizationRole) => {
    await identity.callAsOperator(grantMembership, {
      organization_id: organizationId,
      user_id: user.id,
      role,
    })
    return { ...user, claims: await identity.claimsOf(passwordOf(user)) }
  }
  const newMember = async (role: OrganizationRole) => join(await identity.newUser(), admin, role)
  const deleteSelf = ({ claims }: TestUser) => identity.call(deleteOwnAccount, {}, claims)
  const deleteById = ({ id }: TestUser) => identity.callAsOperator(deleteUser, { user_id: id })
  const adminsOf = ({ organizationId }: TestAdmin) =>
    identity.database.membership.count({ where: { organizationId, role: 'admin' } })

  it('ends the key, the password, and every membership, each announced before the caller gets the reply', async () => {
    const other = await identity.newAdmin()
    const member = await join(await newMember('member'), other, 'admin')
    const { api_key: secret } = await identity.call(cycleUserKey, {}, member.claims)
    const project = { organization_id: admin.organizationId, project_id: randomUUID() }
    await identity.call(createProjectKey, project, admin.claims)
    await identity.call(setProjectMember, { ...project, user_id: member.id, role: 'reader' }, admin.claims)

    expect(await deleteSelf(member)).toEqual({ user_id: member.id, email: member.email })
    for (const credential of [passwordOf(member), { ...passwordOf(member), secret }])
      expect(await identity.introspect(credential)).toEqual({ active: false, reason: 'unknown' })
    expect(changed.filter((tag) => tag === `user:${member.id}`)).not.toEqual([])
    const organizations = [...ended.values()].flatMap((e) =>
      e.user_id === member.id ? e.organization_id : [],
    )
    expect(organizations.sort()).toEqual([admin.organizationId, other.organizationId].sort())
    expect([...deleted.values()].filter((id) => id === member.id)).toHaveLength(1)
    for (const table of ['userKey', 'membership', 'projectMember'] as const)
      expect(await countOf(table, member.id)).toBe(0)
  })

  function countOf(table: 'userKey' | 'membership' | 'projectMember', userId: string): Promise<number> {
    switch (table) {
      case 'userKey':
        return identity.database.userKey.count({ where: { userId } })
      case 'membership':
        return identity.database.membership.count({ where: { userId } })
      case 'projectMember':
        return identity.database.projectMember.count({ where: { userId } })
    }
  }

  it('is in the audit log of every organization of the user, and of the installation', async () => {
    const member = await newMember('member')
    await deleteById(member)
    const rows = await identity.database.auditEntry.findMany({
      where: { target: `user:${member.id}`, action: { in: ['user.deleted', 'membership.removed'] } },
      orderBy: { id: 'asc' },
    })
    expect(rows).toMatchObject([
      {
        action: 'membership.removed',
        organizationId: admin.organizationId,
        actorService: 'operator',
        details: { role_before: 'member' },
      },
      { action: 'user.deleted', organizationId: null, actorService: 'operator' },
    ])
  })

  it('leaves the organization tokens that the user created to their organization', async () => {
    const member = await newMember('admin')
    const { token } = await identity.call(
      createOrganizationToken,
      { organization_id: admin.organizationId, description: 'CI' },
      member.claims,
    )
    await deleteSelf(member)
    expect(await identity.introspect({ kind: 'organization_token', token }, { fresh: true })).toMatchObject({
      active: true,
    })
    expect(
      await identity.database.organizationToken.findFirst({
        where: { organizationId: admin.organizationId },
      }),
    ).toMatchObject({ createdBy: member.id })
  })

  it('frees the e-mail address for somebody who has nothing of the one before', async () => {
    const member = await newMember('admin')
    await identity.callAsOperator(deleteUser, { email: member.email.toUpperCase() })
    const { email, password } = member
    const { user_id } = await identity.callAsOperator(createUser, { email, password })
    expect(user_id).not.toBe(member.id)
    expect(await identity.introspect(passwordOf(member))).toMatchObject({
      active: true,
      principal: { user_id, grants: [] },
    })
  })

  it('is refused where an organization would be without an admin, and says which', async () => {
    const second = await identity.newAdmin()
    const both = await join(admin, second, 'member')
    const organizationId = randomUUID()
    await identity.call(addFirstAdmin, { founded_organization_id: organizationId }, both.claims)
    for (const refused of [deleteSelf(both), deleteById(both)])
      await expect(refused).rejects.toMatchObject({
        code: 'last_admin',
        message: expect.stringMatching(
          new RegExp(`(?=.*${admin.organizationId})(?=.*${organizationId})(?!.*${second.organizationId})`),
        ),
      })
    expect(await identity.introspect(passwordOf(both), { fresh: true })).toMatchObject({ active: true })
  })

  it('of both admins at the same moment leaves one', async () => {
    for (let round = 0; round < 5; round++) {
      const own = await identity.newAdmin()
      const second = await join(await identity.newUser(), own, 'admin')
      const outcomes = await Promise.allSettled([deleteSelf(own), deleteById(second)])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await adminsOf(own)).toBe(1)
    }
  })

  it('while the only other admin leaves, or hands over the role, leaves an admin', async () => {
    for (let round = 0; round < 5; round++) {
      const own = await identity.newAdmin()
      const organization_id = own.organizationId
      const second = await join(await identity.newUser(), own, 'admin')
      const third = await join(await identity.newUser(), own, 'member')
      await Promise.allSettled([
        deleteSelf(own),
        identity.call(setMemberRole, { organization_id, user_id: third.id, role: 'admin' }, second.claims),
        identity.call(removeMember, { organization_id, user_id: second.id }, second.claims),
        deleteSelf(third),
      ])
      expect(await adminsOf(own)).toBeGreaterThan(0)
    }
  })

  it('while they are made an admin of one more organization leaves that without them, or them alone', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await identity.newUser()
      const place = { organization_id: admin.organizationId, user_id: user.id, role: 'admin' as const }
      const outcomes = await Promise.allSettled([
        deleteById(user),
        identity.callAsOperator(grantMembership, place),
      ])
      expect(outcomes[0]).toMatchObject({ status: 'fulfilled' })
      if (outcomes[1].status === 'rejected')
        expect(outcomes[1].reason).toMatchObject({ code: 'user_not_found' })
      expect(await countOf('membership', user.id)).toBe(0)
      const events = [...ended.values()].filter(({ user_id }) => user_id === user.id)
      expect(events).toHaveLength(outcomes[1].status === 'fulfilled' ? 1 : 0)
    }
  })

  it('who is gone can do nothing more with claims from before', async () => {
    const member = await newMember('member')
    await deleteSelf(member)
    await expect(deleteSelf(member)).rejects.toMatchObject({ code: 'user_not_found' })
    await expect(identity.call(cycleUserKey, {}, member.claims)).rejects.toMatchObject({
      code: 'credential_invalid',
    })
    await expect(
      identity.call(addFirstAdmin, { founded_organization_id: randomUUID() }, member.claims),
    ).rejects.toMatchObject({ code: 'credential_invalid' })
  })
})
