import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { SERVICES } from '@bearing/testing/addresses'
import { testStack } from '@bearing/testing/stack'
import { beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { auditedIn } from './audited.js'
import { send } from './http.js'

describe('audit log', () => {
  let own: TestOrganization

  beforeAll(async () => {
    own = await newOrganization()
  })

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
          description: expect.any(String),
          permissions: expect.arrayContaining(['project:read']),
          allowed_addresses: [],
          expires_at: null,
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

  it.each(SERVICES)(
    'of %s can be added to, but neither changed nor emptied by the service itself',
    async (service) => {
      const client = new pg.Client(testStack().databaseUrls[service])
      await client.connect()
      await client.query(`SELECT count(*) FROM ${service}.audit_log`)
      for (const statement of [
        `UPDATE ${service}.audit_log SET action = 'nothing'`,
        `DELETE FROM ${service}.audit_log`,
        `TRUNCATE ${service}.audit_log`,
        `DROP TABLE ${service}.audit_log`,
      ])
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
      await client.end()
    },
  )
})
