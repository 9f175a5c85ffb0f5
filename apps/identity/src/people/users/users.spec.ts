import { randomUUID } from 'node:crypto'
import { credentialChanged } from '@bearing/contracts/identity/credentials/credential'
import {
  bootstrapAdmin,
  createUser,
  addFirstAdmin,
  grantMembership,
  whoAmI,
} from '@bearing/contracts/identity/people/user'
import { onEvent } from '@bearing/nats/events'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestUser } from '../../testing/test-identity.js'

describe('users and their places', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const changed: string[] = []

  beforeAll(() => {
    onEvent(
      identity.connection,
      credentialChanged,
      ({ tags }) => changed.push(...tags),
      () => undefined,
    )
  })

  const me = async ({ email, password }: TestUser) =>
    identity.call(whoAmI, {}, await identity.claimsOf({ kind: 'user', email, secret: password }))
  const found = (organizationId: string, user: TestUser) =>
    identity.call(addFirstAdmin, { founded_organization_id: organizationId }, user.claims)

  it('an email address has one account, in whatever case and however many create it concurrently', async () => {
    const name = randomUUID()
    const emails = [`${name}@example.com`, `${name}@EXAMPLE.com`, `${name.toUpperCase()}@example.com`]
    const outcomes = await Promise.allSettled(
      emails.map((email) =>
        identity.callAsOperator(createUser, { email, password: 'correct horse battery' }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'email_taken' })
  })

  it('a password that looks like a token is refused, because nobody could log in with it', async () => {
    await expect(
      identity.callAsOperator(createUser, {
        email: `${randomUUID()}@example.com`,
        password: 'brgu_0123456789',
      }),
    ).rejects.toMatchObject({ code: 'invalid_input', details: { errors: [{ pointer: '/password' }] } })
  })

  it('only services make users and grant places', async () => {
    const admin = await identity.newAdmin()
    const account = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
    const grant = { organization_id: admin.organizationId, user_id: admin.id, role: 'admin' as const }
    await expect(identity.call(createUser, account, admin.claims)).rejects.toMatchObject({
      code: 'permission_denied',
    })
    await expect(identity.call(bootstrapAdmin, account, admin.claims)).rejects.toMatchObject({
      code: 'permission_denied',
    })
    await expect(identity.call(grantMembership, grant, admin.claims)).rejects.toMatchObject({
      code: 'permission_denied',
    })
  })

  it('a grant replaces the former scope, and gateways are notified', async () => {
    const user = await identity.newUser()
    const organization_id = randomUUID()
    const place = { organization_id, user_id: user.id, role: 'member' as const }
    const projects = [{ project_id: randomUUID(), role: 'manager' as const }]
    await identity.callAsOperator(grantMembership, { ...place, projects })
    expect(await me(user)).toMatchObject({ grants: [{ organization_id, role: 'member', projects }] })
    await identity.callAsOperator(grantMembership, { ...place, role: 'admin' })
    expect(await me(user)).toMatchObject({ grants: [{ organization_id, role: 'admin', projects: [] }] })
    expect(changed).toContain(`user:${user.id}`)
    const audited = await identity.database.auditEntry.findMany({
      where: { organizationId: organization_id },
    })
    expect(audited).toHaveLength(2)
    expect(audited[0]).toMatchObject({ actorKind: 'service', actorService: 'operator', actorUserId: null })
  })

  it('a grant to nobody, or of a project twice, is refused and leaves nothing', async () => {
    const place = { organization_id: randomUUID(), user_id: randomUUID(), role: 'member' as const }
    await expect(identity.callAsOperator(grantMembership, place)).rejects.toMatchObject({
      code: 'user_not_found',
    })
    const project = { project_id: randomUUID(), role: 'reader' as const }
    await expect(
      identity.callAsOperator(grantMembership, { ...place, projects: [project, project] }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ pointer: '/projects/1/project_id' }] },
    })
  })

  it('creating an organization twice is the same as once', async () => {
    const user = await identity.newUser()
    const organizationId = randomUUID()
    await found(organizationId, user)
    await found(organizationId, user)
    expect(await me(user)).toMatchObject({ grants: [{ organization_id: organizationId, role: 'admin' }] })
    expect(changed).toContain(`user:${user.id}`)
  })

  it('an organization with members cannot be created by anybody else', async () => {
    const admin = await identity.newAdmin()
    const other = await identity.newUser()
    await expect(found(admin.organizationId, other)).rejects.toMatchObject({ code: 'permission_denied' })
    expect(await me(other)).toMatchObject({ grants: [] })
  })

  it('of many who create one organization concurrently, one becomes its admin', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => identity.newUser()))
    const organizationId = randomUUID()
    const outcomes = await Promise.allSettled(users.map((user) => found(organizationId, user)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await identity.database.membership.count({ where: { organizationId } })).toBe(1)
  })
})
