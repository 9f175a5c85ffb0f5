import {
  introspectCredential,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import { listProjects } from '@bearing/contracts/management/tenancy/project'
import { whoAmI } from '@bearing/contracts/identity/people/user'
import { showLocationSettings } from '@bearing/contracts/location/settings/location-settings'
import type { Operation } from '@bearing/contracts/operation'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'

/** For each service an operation that an admin of an organization may call. */
const OPERATIONS = { identity: whoAmI, management: listProjects, location: showLocationSettings } as const
const SERVICES = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]
const PAIRS = [...SERVICES, 'billing', 'bearing'].flatMap((audience) =>
  SERVICES.map((service) => [audience, service] as const),
)

describe('claims', () => {
  const connection = forSuite(
    () => connectNats({ url: testStack().natsUrl, name: 'test' }),
    (it) => it.drain(),
  )
  const client = forSuite(() => new NatsClient(connection))
  let own: Awaited<ReturnType<typeof newOrganization>>
  let other: Awaited<ReturnType<typeof newOrganization>>

  beforeAll(async () => {
    ;[own, other] = await Promise.all([newOrganization(), newOrganization()])
  })

  async function claimsFor(credential: PresentedCredential, audience: string, organization_id: string) {
    const seen = await client.call(introspectCredential, { ...credential, audience, organization_id })
    if (!seen.active) throw new Error(`the credential is ${seen.reason}`)
    return seen.claims
  }

  const call = (operation: Operation, request: object, claims: string | undefined) =>
    client.call(operation, request, { claims })

  it.each(PAIRS)(
    'made for %s are accepted by %s only if it is the same service',
    async (audience, service) => {
      const claims = await claimsFor(own.admin.credential, audience, own.id)
      const scope = service === 'identity' ? {} : { organization_id: own.id }
      const answered = call(OPERATIONS[service], scope, claims)
      if (audience === service) await expect(answered).resolves.toBeDefined()
      else await expect(answered).rejects.toMatchObject({ code: 'credential_invalid' })
    },
  )

  it('of a user for one organization open no other one of the same user', async () => {
    const { client: http } = own.admin
    const { id: second } = await http.call('createOrganization', { name: 'Second' })
    const claims = await claimsFor(own.admin.credential, 'management', second)
    expect(await call(listProjects, { organization_id: second }, claims)).toMatchObject({ data: [] })
    for (const { id } of [own, other])
      await expect(call(listProjects, { organization_id: id }, claims)).rejects.toMatchObject({
        code: 'organization_not_found',
      })
    const slugs = (await http.listAll('listOrganizations', {})).map(({ slug }) => slug)
    expect(slugs).toHaveLength(2)
  })
})
