import { randomUUID } from 'node:crypto'
import { appendAuditEvent } from '@bearing/contracts/identity/audit/audit-append'
import { verifyAuditChain } from '@bearing/contracts/identity/audit/audit-log'
import { createOrganizationToken } from '@bearing/contracts/identity/tokens/organization-token'
import { deleteUser, grantMembership } from '@bearing/contracts/identity/people/user'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { TestIdentity, type TestUser } from '../../testing/test-identity.js'

const MEMBERS = 6

const identity = forSuite(() => TestIdentity.connect())

it('transactions that write to the logs of several organizations never wait in a circle', async () => {
  const admins = [await identity.newAdmin(), await identity.newAdmin()]
  const users: TestUser[] = []
  for (let number = 0; number < MEMBERS; number++) {
    const user = await identity.newUser()
    // In either order, as the rows of the organizations come in either order.
    for (const { organizationId } of number % 2 === 0 ? admins : admins.toReversed())
      await identity.callAsOperator(grantMembership, {
        organization_id: organizationId,
        user_id: user.id,
        role: 'member',
        projects: [],
      })
    users.push(user)
  }
  await Promise.all([
    ...users.map(({ id }) => identity.callAsOperator(deleteUser, { user_id: id })),
    ...admins.flatMap(({ organizationId, claims }) =>
      users.map(() =>
        identity.call(
          createOrganizationToken,
          { organization_id: organizationId, description: 'meanwhile' },
          claims,
        ),
      ),
    ),
  ])
  for (const { organizationId } of admins) {
    const rows = await identity.database.auditEntry.findMany({
      where: { organizationId, action: 'membership.removed' },
    })
    expect(rows.map(({ target }) => target).sort()).toEqual(users.map(({ id }) => `user:${id}`).sort())
    const verified = await identity.callAsOperator(verifyAuditChain, {
      chain: organizationId,
      after: { length: 0, hash: null },
    })
    expect(verified).toMatchObject({ done: true, fault: null })
  }
})

it.each([
  ['location', 'membership.removed'],
  ['location', 'organization.created'],
  ['management', 'layer.relearned'],
  ['management', 'organization_token.created'],
] as const)(
  'an audit event of %s with the action %s of another service is refused',
  async (service, action) => {
    const { organizationId, id: userId } = await identity.newAdmin()
    const forged = {
      id: randomUUID(),
      organization_id: organizationId,
      at: new Date().toISOString(),
      actor_kind: 'user',
      actor_credential_id: null,
      actor_user_id: userId,
      actor_service: null,
      action,
      target: `user:${userId}`,
      details: {},
      address: null,
      request_id: randomUUID(),
    }
    await expect(identity.call(appendAuditEvent[service], forged)).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect(await identity.database.auditEntry.count({ where: { organizationId, action } })).toBe(0)
  },
)
