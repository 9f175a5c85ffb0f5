import { randomUUID } from 'node:crypto'
import {
  addSsoDomain,
  deleteSsoDomain,
  listSsoDomains,
  verifySsoDomain,
} from '@bearing/contracts/identity/sso/sso-domain'
import { startStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { NameServer } from '@bearing/testing/name-server'
import { TestIdentity } from '../../testing/test-identity.js'

describe('an e-mail domain', () => {
  const names = forSuite(() => NameServer.start())
  const stack = forSuite(() =>
    startStack({
      services: ['identity'],
      gateways: 0,
      environment: { identity: { DNS_SERVERS: names.address } },
    }),
  )
  const identity = forSuite(() => TestIdentity.connect(stack))

  it("is verified when its DNS has the organization's record, and not by the record of another organization", async () => {
    const [admin, other] = [await identity.newAdmin(), await identity.newAdmin()]
    const domain = `D-${randomUUID()}.Example`
    const scope = { organization_id: admin.organizationId, domain }
    const others = { organization_id: other.organizationId, domain }
    await expect(identity.call(verifySsoDomain, scope, admin.claims)).rejects.toMatchObject({
      code: 'sso_domain_not_found',
    })
    const added = await identity.call(addSsoDomain, scope, admin.claims)
    expect(added).toMatchObject({ domain: domain.toLowerCase(), verified_at: null })
    expect(await identity.call(addSsoDomain, scope, admin.claims)).toEqual(added)
    await expect(identity.call(verifySsoDomain, scope, admin.claims)).rejects.toMatchObject({
      code: 'sso_domain_unverified',
    })
    names.records.set(domain.toLowerCase(), added.txt_record)
    expect(await identity.call(verifySsoDomain, scope, admin.claims)).toMatchObject({
      verified_at: expect.any(String),
    })
    await identity.call(addSsoDomain, others, other.claims)
    await expect(identity.call(verifySsoDomain, others, other.claims)).rejects.toMatchObject({
      code: 'sso_domain_unverified',
    })
    const { data } = await identity.call(
      listSsoDomains,
      { organization_id: admin.organizationId },
      admin.claims,
    )
    expect(data).toMatchObject([{ domain: domain.toLowerCase(), verified_at: expect.any(String) }])
    await identity.call(deleteSsoDomain, scope, admin.claims)
    const again = await identity.call(addSsoDomain, scope, admin.claims)
    expect(again).toMatchObject({ verified_at: null })
    expect(again.txt_record).not.toBe(added.txt_record)
  })
})
