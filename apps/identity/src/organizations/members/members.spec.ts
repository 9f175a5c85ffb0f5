import { randomUUID } from 'node:crypto'
import {
  listMembers,
  membershipChanged,
  removeMember,
  setMemberRole,
} from '@bearing/contracts/identity/members/member'
import { listProjectMembers, setProjectMember } from '@bearing/contracts/identity/members/project-member'
import { createProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { startSession } from '@bearing/contracts/identity/people/session'
import { grantMembership } from '@bearing/contracts/identity/people/user'
import type { EventData } from '@bearing/contracts/operation'
import type { OrganizationRole } from '@bearing/contracts/principal'
import { onEvent } from '@bearing/nats/events'
import { eventually } from '@bearing/testing/eventually'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin, type TestUser } from '../../testing/test-identity.js'

describe('members, over NATS', () => {
  const identity = forSuite(() => TestIdentity.connect())
  let admin: TestAdmin
  /** By the id of the event: an event may be published twice, and consumers recognize it by its id. */
  const received = new Map<string, EventData<typeof membershipChanged>>()

  beforeAll(() => {
    onEvent(
      identity.connection,
      membershipChanged,
      (event) => received.set(event.id, event),
      () => undefined,
    )
  })

  beforeEach(async () => {
    admin = await identity.newAdmin()
  })

  const newMember = async (role: OrganizationRole): Promise<TestUser> => {
    const user = await identity.newUser()
    const { organizationId: organization_id } = admin
    await identity.callAsOperator(grantMembership, { organization_id, user_id: user.id, role })
    const claims = await identity.claimsOf({ kind: 'user', email: user.email, secret: user.password })
    return { ...user, claims }
  }
  const setRole = ({ id }: TestUser, role: OrganizationRole, by: TestUser) =>
    identity.call(setMemberRole, { organization_id: admin.organizationId, user_id: id, role }, by.claims)
  const remove = ({ id }: TestUser, by: TestUser) =>
    identity.call(removeMember, { organization_id: admin.organizationId, user_id: id }, by.claims)
  const rolesReceived = (user: TestUser) =>
    [...received.values()]
      .filter((event) => event.user_id === user.id && event.organization_id === admin.organizationId)
      .map(({ role }) => role)

  it('every change of a membership is an event with the new role, and null when it is over', async () => {
    const member = await newMember('member')
    await setRole(member, 'admin', admin)
    await setRole(member, 'admin', admin)
    await setRole(member, 'member', admin)
    await remove(member, admin)
    expect(rolesReceived(admin)).toEqual(['admin'])
    expect(rolesReceived(member)).toEqual(['member', 'admin', 'member', null])
    await eventually(async () => {
      expect(await identity.database.outboxEvent.count({ where: { id: { in: [...received.keys()] } } })).toBe(
        0,
      )
    })
  })

  it('a change that is refused is no event, and not in the audit log', async () => {
    await expect(remove(admin, admin)).rejects.toMatchObject({ code: 'last_admin' })
    await expect(setRole(admin, 'member', admin)).rejects.toMatchObject({ code: 'last_admin' })
    expect(rolesReceived(admin)).toEqual(['admin'])
    const { organizationId } = admin
    expect(await identity.database.auditEntry.findMany({ where: { organizationId } })).toMatchObject([
      { action: 'organization.founded' },
    ])
  })

  it('who is no admin any more removes nobody, even with claims that still say so', async () => {
    const second = await newMember('admin')
    const third = await newMember('member')
    await setRole(second, 'member', admin)
    await expect(remove(third, second)).rejects.toMatchObject({ code: 'permission_denied' })
    await expect(setRole(third, 'admin', second)).rejects.toMatchObject({ code: 'permission_denied' })
    await remove(second, admin)
    await expect(remove(third, second)).rejects.toMatchObject({ code: 'permission_denied' })
    const { data } = await identity.call(listMembers, { organization_id: admin.organizationId }, admin.claims)
    expect(data.map(({ user_id }) => user_id).sort()).toEqual([admin.id, third.id].sort())
  })

  it("a project that is not the organization's is not found, also where its id is known", async () => {
    const other = await identity.newAdmin()
    const project_id = randomUUID()
    await identity.call(createProjectKey, { organization_id: other.organizationId, project_id }, other.claims)
    const scope = { organization_id: admin.organizationId, project_id }
    const member = await newMember('member')
    await expect(identity.call(listProjectMembers, scope, admin.claims)).rejects.toMatchObject({
      code: 'project_not_found',
    })
    await expect(
      identity.call(setProjectMember, { ...scope, user_id: member.id, role: 'reader' }, admin.claims),
    ).rejects.toMatchObject({ code: 'project_not_found' })
  })

  it('second factor and last sign-in are listed for admins and nobody else', async () => {
    const member = await newMember('member')
    const listed = async ({ claims }: TestUser) =>
      (await identity.call(listMembers, { organization_id: admin.organizationId }, claims)).data
    const entry = async () => (await listed(admin)).find(({ user_id }) => user_id === member.id)
    expect(await entry()).toMatchObject({ second_factor: false, last_sign_in_at: null })
    for (const row of await listed(member)) {
      expect(row).not.toHaveProperty('second_factor')
      expect(row).not.toHaveProperty('last_sign_in_at')
    }
    const before = Date.now()
    await identity.call(startSession, { email: member.email, password: member.password })
    const after = await entry()
    expect(Date.parse(after?.last_sign_in_at ?? '')).toBeGreaterThanOrEqual(before)
    await identity.database.totp.create({
      data: { userId: member.id, secretBox: Buffer.alloc(1), pepperId: 'x', createdAt: new Date() },
    })
    expect(await entry()).toMatchObject({ second_factor: false })
    await identity.database.totp.update({ where: { userId: member.id }, data: { confirmedAt: new Date() } })
    expect(await entry()).toMatchObject({ second_factor: true })
    // Another organization of the same user, whose admin sees the sign-in that reaches it, too.
    const { organizationId } = await identity.newAdmin()
    expect(await identity.database.memberSignIn.count({ where: { organizationId } })).toBe(0)
  })
})
