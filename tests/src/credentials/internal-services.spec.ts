import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IdentityClient } from '@bearing/client-nats/identity-client'
import {
  authorizeCredential,
  introspectCredential,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import { getJwks } from '@bearing/contracts/identity/credentials/jwks'
import { deleteUser } from '@bearing/contracts/identity/people/user'
import { NATS_USERS } from '@bearing/contracts/nats/nats-users'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { permissionsOf } from '@bearing/nats/permissions'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newProject, newToken } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { startBilling } from '../tools/internal-service-example.js'
import { ROOT } from '../tools/root.js'

const PAGE = readFileSync(join(ROOT, 'docs', 'internal-services.md'), 'utf8')
const asIntrospector = () => {
  const { natsUrl: url, nkeySeeds } = testStack()
  return { url, nkeySeed: nkeySeeds.introspector, name: 'introspector' }
}

describe('an internal service, with the NATS user of the example', () => {
  const own = forSuite(() => newOrganization())
  const connection = forSuite(
    () => connectNats(asIntrospector()),
    (it) => it.drain(),
  )
  const identity = forSuite(() => new IdentityClient(connection))

  const resolves = (project: { id: string }, organization: { id: string } = own) =>
    identity.authorize({
      credential: own.token.credential,
      permission: 'location:resolve',
      organization_id: organization.id,
      project_id: project.id,
    })

  it('rejects a revoked credential before its cache entry expires', async () => {
    const { id, credential } = await newToken(own)
    expect(await identity.introspect(credential)).toMatchObject({ active: true })
    const { client } = own.admin
    await client.call('deleteOrganizationToken', { organization: own.slug, organization_token_id: id })
    await eventually(async () => {
      expect(await identity.introspect(credential)).toEqual({ active: false, reason: 'unknown' })
    })
  })

  it('authorizes without asking again, once it knows that the project is one of the organization', async () => {
    // Repeated, because an event about the new rows evicts the cache entry.
    await eventually(async () => {
      expect(await resolves(own.project)).toMatchObject({ allowed: true })
      const { outMsgs } = connection.raw.stats()
      for (let i = 0; i < 10; i++) expect(await resolves(own.project)).toMatchObject({ allowed: true })
      expect(connection.raw.stats().outMsgs).toBe(outMsgs)
    })
  })

  it("receives a denial for another organization's project, also under its own organization's id", async () => {
    const other = await newOrganization()
    const foreign = await newProject(other)
    expect(await resolves(foreign, other)).toMatchObject({ code: 'organization_not_found' })
    for (let i = 0; i < 2; i++) expect(await resolves(foreign)).toMatchObject({ code: 'project_not_found' })
  })

  it('without NATS permissions is unavailable, and takes no credential for invalid', async () => {
    const { natsUrl: url, nkeySeeds } = testStack()
    const location = await connectNats({ url, nkeySeed: nkeySeeds.location, name: 'location' })
    const mistaken = new IdentityClient(location)
    await expect(mistaken.introspect(own.token.credential)).rejects.toMatchObject({ status: 503 })
    await location.drain()
  })
})

describe('the page for authors of internal services', () => {
  it('shows a TypeScript service that works as the page says', async () => {
    const example = readFileSync(join(ROOT, 'tests', 'src', 'tools', 'internal-service-example.ts'), 'utf8')
    expect(PAGE).toContain(`\`\`\`ts\n${example}\`\`\`\n`)

    const billing = await startBilling(asIntrospector())
    const own = await newOrganization()
    const { token } = own.token
    expect(await billing.mayRead(own.id, token, '127.0.0.1')).toBe(200)
    expect(await billing.mayRead(own.admin.id, token, '127.0.0.1')).toBe(403)
    expect(await billing.mayRead(own.id, `${token}x`, '127.0.0.1')).toBe(401)

    const claims = await billing.claimsOf(token)
    expect(await billing.whoIs(claims ?? '')).toMatchObject({ organization_id: own.id })
    const forLocation = await claimsOf(own.token.credential, 'location')
    await expect(billing.whoIs(forLocation)).rejects.toMatchObject({ code: 'credential_invalid' })

    const member = await newMember(own, 'member')
    await callAsOperator(deleteUser, { user_id: member.id })
    await eventually(() => {
      expect(billing.events).toEqual(
        expect.arrayContaining([
          `${member.id} is member`,
          `${member.id} is out`,
          `user ${member.id} is gone`,
        ]),
      )
    })
    await billing.stop()
  })

  it('shows requests that the example user may make, and that are well formed', () => {
    const operations = new Map(
      [introspectCredential, authorizeCredential, getJwks].map((operation) => [operation.subject, operation]),
    )
    const requests = [
      ...PAGE.matchAll(/(?:echo '(\{.*?\})' \|\n? *)?nats request(?: --\S+)* (\S+)(?: '(\{.*?\})')?\n/gs),
    ]
    expect(requests.length).toBeGreaterThan(2)
    for (const [, piped, subject = '', argument] of requests) {
      const operation = operations.get(subject)
      expect([subject, operation !== undefined]).toEqual([subject, true])
      const sent: unknown = JSON.parse(piped ?? argument ?? '')
      expect([sent, operation?.input.safeParse(sent).success]).toEqual([sent, true])
    }
  })

  it('names only subjects that the example user may use', () => {
    const { publish, subscribe } = permissionsOf('introspector', NATS_USERS.introspector)
    const forbidden = 'identity.v1.service.issue'
    const named = new Set(PAGE.match(/(?:identity|management)\.v1\.[a-z.-]*[a-z]/g))
    for (const subject of named)
      if (subject !== forbidden) expect([...publish, ...subscribe]).toContain(subject)
    for (const { subject } of NATS_USERS.introspector.subscribes) expect([...named]).toContain(subject)
  })
})

/** Returns signed claims about the holder of a credential, as a gateway gets them. */
async function claimsOf(credential: PresentedCredential, audience: string): Promise<string> {
  const connection = await connectNats(asIntrospector())
  const answer = await new NatsClient(connection).call(introspectCredential, {
    ...credential,
    audience,
  })
  await connection.drain()
  if (!answer.active) throw new Error(`the credential is ${answer.reason}`)
  return answer.claims ?? ''
}
