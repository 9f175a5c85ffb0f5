import { grantMembership } from '@bearing/contracts/identity/people/user'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { newMember, newOrganization, newToken, newUser } from '@bearing/testing/factories'
import { SERVICES } from '@bearing/testing/addresses'
import { connectTo } from '@bearing/testing/connect-to'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { auditedIn, untoldOf } from '../tools/audited.js'
import { send } from '../tools/http.js'

describe('audit log', () => {
  const own = forSuite(() => newOrganization())

  it('has who did what, with which credential, from where and in which request', async () => {
    const path = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}/api_key`
    const headers = { 'x-request-id': `audited-${own.slug}` }
    await send(testStack().gatewayUrls[0] ?? '', 'POST', path, { credential: own.token.credential, headers })
    const rows = await auditedIn('identity', own)
    expect(rows).toContainEqual(
      expect.objectContaining({
        action: 'project_key.cycled',
        actor_kind: 'organization_token',
        actor_credential_id: own.token.id,
        actor_user_id: null,
        request_id: `audited-${own.slug}`,
        address: '127.0.0.1',
      }),
    )
    expect(rows).toContainEqual(
      expect.objectContaining({
        action: 'organization_token.created',
        details: {
          administers: false,
          description: expect.any(String),
          permissions: expect.arrayContaining(['project:read']),
          allowed_addresses: [],
          expires_at: expect.any(String),
        },
      }),
    )
    for (const action of ['organization.founded', 'project_key.created', 'organization_token.created'])
      expect(rows).toContainEqual(expect.objectContaining({ action, actor_user_id: own.admin.id }))
    for (const action of ['organization.created', 'project.created'])
      expect(await auditedIn('management', own)).toContainEqual(
        expect.objectContaining({ action, actor_user_id: own.admin.id }),
      )
  })

  it('refuses a time in year 0 as invalid input, in the list and in the export', async () => {
    const { admin, slug } = await newOrganization()
    for (const list of ['audit_log', 'audit_log/export'])
      for (const field of ['from', 'to']) {
        const path = `/api/v0/organizations/${slug}/${list}?${field}=0000-01-01T00:00:00.000Z`
        const reply = await send(testStack().gatewayUrls[0] ?? '', 'GET', path, admin)
        expect(reply.json).toMatchObject({ status: 400, code: 'invalid_input' })
      }
  })

  it('has an entry for everything that an organization owns, and for everything that was deleted with something else', async () => {
    const { admin, slug: organization, id: organization_id, project } = own
    const member = await newMember(own, 'member', [{ project, role: 'reader' }])
    await admin.client.call('setProjectMember', {
      ...{ organization, project: project.slug, user_id: member.id },
      role: 'manager',
    })
    const { id: organization_token_id } = await newToken(own)
    await admin.client.call('deleteOrganizationToken', { organization, organization_token_id })
    // Invited, let in by operators, and removed before they have used the link.
    const guest = await newUser()
    await admin.client.call('createInvitation', { organization, email: guest.email, role: 'member' })
    await callAsOperator(grantMembership, { organization_id, user_id: guest.id, role: 'member' })
    await admin.client.call('removeMember', { organization, user_id: guest.id })
    expect(await untoldOf(own)).toEqual([])
  })

  it.each(SERVICES)(
    'of %s can be added to, but neither changed nor emptied by the service itself',
    async (service) => {
      await using client = await connectTo(testStack().databaseUrls[service])
      await client.query(`SELECT count(*) FROM ${service}.audit_log`)
      for (const statement of [
        `UPDATE ${service}.audit_log SET action = 'nothing'`,
        `DELETE FROM ${service}.audit_log`,
        `TRUNCATE ${service}.audit_log`,
        `DROP TABLE ${service}.audit_log`,
      ])
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
    },
  )
})
