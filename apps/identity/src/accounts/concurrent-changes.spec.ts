import { randomBytes, randomUUID } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import { removeMember } from '@bearing/contracts/identity/members/member'
import { confirmPartnerLink } from '@bearing/contracts/identity/sso/partner'
import { deleteSsoIdentity } from '@bearing/contracts/identity/sso/sign-on'
import { deleteSsoConnection } from '@bearing/contracts/identity/sso/sso-connection'
import { deleteUser, grantMembership } from '@bearing/contracts/identity/people/user'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin, type TestUser } from '../testing/test-identity.js'

const ROUNDS = 6
/** Accounts that end at the same moment. */
const USERS = 4
/** Sessions of each: the more there is to delete, the longer the others have to come in between. */
const SESSIONS = 20

/** Error codes of a transaction that was in a deadlock or waited for too long. */
const STUCK = ['internal', 'service_unavailable', 'deadline_exceeded', 'overloaded']

describe('an account that is deleted while', () => {
  const identity = forSuite(() => TestIdentity.connect())

  const now = () => new Date()

  async function newConnection(organizationId: string | null): Promise<string> {
    const id = randomUUID()
    const partner = organizationId === null && { teamIdClaim: 'team_id', teamNameClaim: 'team_name' }
    const row = { id, organizationId, name: 'x', issuer: 'https://x.example', clientId: 'x', metadata: {} }
    await identity.database.ssoConnection.create({ data: { ...row, ...partner, createdAt: now() } })
    return id
  }

  /** A user with sessions, and a link, of a connection. @returns the user, and the link */
  async function newLinked(connectionId: string): Promise<{ user: TestUser; identityId: string }> {
    const user = await identity.newUser()
    const identityId = randomUUID()
    const link = { id: identityId, connectionId, issuer: 'https://x.example', subject: user.id }
    await identity.database.ssoIdentity.create({ data: { ...link, userId: user.id, createdAt: now() } })
    await identity.database.session.createMany({
      data: Array.from({ length: SESSIONS }, () => ({
        id: randomUUID(),
        userId: user.id,
        secretHash: new Uint8Array(randomBytes(32)),
        pepperId: 'x',
        createdAt: now(),
        lastSeenAt: now(),
        endsAt: new Date(Date.now() + 3_600_000),
        methods: ['sso'],
        connectionId,
      })),
    })
    return { user, identityId }
  }

  const remove = ({ id: user_id }: TestUser) => identity.callAsOperator(deleteUser, { user_id })

  /** All have an answer, and none of them is that somebody waited for what never comes. */
  async function expectNoneStuck(work: readonly Promise<unknown>[]): Promise<void> {
    for (const outcome of await Promise.allSettled(work))
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toBeInstanceOf(OperationError)
        expect(STUCK).not.toContain((outcome.reason as OperationError).code)
      }
  }

  const newAdmins = (count: number) => Promise.all(Array.from({ length: count }, () => identity.newAdmin()))
  const newUsers = (connectionId: string) =>
    Promise.all(Array.from({ length: USERS }, () => newLinked(connectionId)))

  it('its links are deleted', async () => {
    const connectionId = await newConnection((await identity.newAdmin()).organizationId)
    for (let round = 0; round < ROUNDS; round++) {
      const users = await newUsers(connectionId)
      await expectNoneStuck(
        users.flatMap(({ user, identityId: sso_identity_id }) => [
          identity.call(deleteSsoIdentity, { sso_identity_id }, user.claims),
          remove(user),
        ]),
      )
      expect(await count(users)).toBe(0)
    }
  })

  it('the connection that it is linked with is deleted', async () => {
    for (const admin of await newAdmins(ROUNDS)) {
      const connection_id = await newConnection(admin.organizationId)
      const scope = { organization_id: admin.organizationId, connection_id }
      const users = await newUsers(connection_id)
      await expectNoneStuck([
        ...users.map(({ user }) => remove(user)),
        identity.call(deleteSsoConnection, scope, admin.claims),
      ])
      expect(await count(users)).toBe(0)
    }
  })

  it('an admin lets it in with the team that it has come with', async () => {
    const connectionId = await newConnection(null)
    for (const admin of await newAdmins(ROUNDS)) {
      const users = await newUsers(connectionId)
      const links = await Promise.all(users.map(({ user }) => newRequest(connectionId, user, admin)))
      await expectNoneStuck(
        users.flatMap(({ user }, index) => [
          remove(user),
          identity.call(
            confirmPartnerLink,
            { organization_id: admin.organizationId, partner_link_id: links[index] ?? '' },
            admin.claims,
          ),
        ]),
      )
      expect(await count(users)).toBe(0)
    }
  })

  it('it is removed from its organization', async () => {
    for (const admin of await newAdmins(ROUNDS)) {
      const organization_id = admin.organizationId
      const users = await newUsers(await newConnection(organization_id))
      for (const { user } of users)
        await identity.callAsOperator(grantMembership, { organization_id, user_id: user.id, role: 'member' })
      await expectNoneStuck(
        users.flatMap(({ user }) => [
          remove(user),
          identity.call(removeMember, { organization_id, user_id: user.id }, admin.claims),
        ]),
      )
      expect(await count(users)).toBe(0)
    }
  })

  /** A team whose user asks for an organization. @returns the request's id */
  async function newRequest(connectionId: string, user: TestUser, admin: TestAdmin): Promise<string> {
    const requestId = randomUUID()
    const team = { id: randomUUID(), connectionId, teamId: randomUUID(), name: 'x', createdAt: now() }
    const requestedOrganizationId = admin.organizationId
    const request = { requestId, requestedOrganizationId, requestedBy: user.id, requestedAt: now() }
    await identity.database.partnerTeam.create({ data: { ...team, ...request } })
    return requestId
  }

  /** Returns the number of the accounts plus that of their sessions. */
  async function count(users: readonly { readonly user: TestUser }[]): Promise<number> {
    const ids = users.map(({ user }) => user.id)
    const accounts = await identity.database.user.count({ where: { id: { in: ids } } })
    return accounts + (await identity.database.session.count({ where: { userId: { in: ids } } }))
  }
})
