import { randomBytes } from 'node:crypto'
import { newOrganization, newToken, newUser, type TestOrganization } from '@bearing/testing/factories'
import { stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { send, type Reply, type Sent } from '../tools/http.js'

const PER_ORGANIZATION = 80
const PER_CREDENTIAL = 60

describe('the request limit of an organization, at two gateways', () => {
  const stack = stackForSuite({
    oneProcess: true,
    gateways: 2,
    redis: true,
    environment: { gateway: { REQUESTS_PER_ORGANIZATION: String(PER_ORGANIZATION) } },
    constants: { gateway: { REQUESTS_PER_CREDENTIAL: PER_CREDENTIAL } },
  })

  const projects = (
    organization: Pick<TestOrganization, 'slug'>,
    credential: Sent['credential'],
    gateway = 0,
  ) =>
    send(stack.gatewayUrls[gateway] ?? '', 'GET', `/api/v0/organizations/${organization.slug}/projects`, {
      credential,
    })
  const succeeded = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200).length
  /** Returns the number of requests of the API that the organization has left; asking costs one. */
  async function left(organization: TestOrganization): Promise<number> {
    const { headers } = await projects(organization, organization.token.credential)
    return Number(/"organization";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  }

  it('gives two tokens together no more than one organization has, and does not touch another one', async () => {
    const [own, other] = await Promise.all([newOrganization(stack), newOrganization(stack)])
    const second = await newToken(own, stack)
    const before = await left(own)
    const replies = []
    for (let i = 0; i < PER_CREDENTIAL - 1; i++)
      for (const { credential } of [own.token, second]) replies.push(await projects(own, credential, i % 2))
    expect(succeeded(replies)).toBe(before)
    const refused = replies.find(({ status }) => status === 429)
    expect(refused?.json).toMatchObject({ code: 'rate_limited' })
    expect(refused?.headers.get('ratelimit-policy')).toBe(`"organization";q=${String(PER_ORGANIZATION)};w=60`)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await projects(other, other.token.credential)).status).toBe(200)
  })

  it('is announced beside the limit of the credential', async () => {
    const own = await newOrganization(stack)
    const { headers } = await projects(own, own.token.credential)
    expect(headers.get('ratelimit-policy')).toBe(
      `"credential";q=${String(PER_CREDENTIAL)};w=60, "organization";q=${String(PER_ORGANIZATION)};w=60`,
    )
    expect(headers.get('ratelimit')).toMatch(/^"credential";r=\d+;t=\d+, "organization";r=\d+;t=\d+$/)
  })

  it('is not used up by wrong credentials, by no credential, or by who may not enter the organization', async () => {
    const own = await newOrganization(stack)
    const outsider = await newUser(stack)
    const before = await left(own)
    for (let i = 0; i < 5; i++) {
      const wrong = { kind: 'project_key', key: randomBytes(16).toString('hex') } as const
      for (const credential of [undefined, wrong, outsider.credential])
        expect((await projects(own, credential)).status).toBeGreaterThanOrEqual(400)
    }
    expect(await left(own)).toBe(before - 1)
  })

  it('counts each scan of a batch, and refuses the whole batch that it has no room for', async () => {
    const own = await newOrganization(stack)
    const { credential } = own.token
    const batch = (scans: number, sentWith: Sent['credential'] = credential) =>
      send(
        stack.gatewayUrls[0] ?? '',
        'POST',
        `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi/batch`,
        {
          credential: sentWith,
          body: { scans: Array.from({ length: scans }, () => ({ accessPoints: [] })) },
        },
      )
    const before = await left(own)
    const answered = await batch(30)
    expect(answered).toMatchObject({ status: 200, json: { results: { length: 30 } } })
    expect(answered.headers.get('ratelimit')).toContain(`"organization";r=${String(before - 30)};`)
    expect(await left(own)).toBe(before - 31)
    const refused = await batch(50)
    // Devices retry after 503, and never after 429.
    expect(refused).toMatchObject({ status: 503, json: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    // The refused batch counts as one request.
    expect(await left(own)).toBe(before - 33)
    expect((await batch(20)).status).toBe(200)
    await own.token.client.call('changeProjectSettings', {
      ...{ organization: own.slug, project: own.project.slug, project_key_may_locate: true },
    })
    const key = { kind: 'project_key', key: own.project.key } as const
    expect((await batch(PER_CREDENTIAL, key)).status).toBe(200)
    expect(await batch(2, key)).toMatchObject({ status: 503, json: { code: 'rate_limited' } })
  })

  it('charges a batch by its work: a scan of 240 unknown access points, earlier ones included, counts as twelve', async () => {
    const own = await newOrganization(stack)
    const scanOf = (readings: number) =>
      Array.from({ length: readings }, (_, number) => ({
        macAddress: `02:00:5e:0b:${Math.floor(number / 100)
          .toString()
          .padStart(2, '0')}:${(number % 100).toString().padStart(2, '0')}`,
      }))
    const batch = (scans: object[]) =>
      send(
        stack.gatewayUrls[0] ?? '',
        'POST',
        `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi/batch`,
        { credential: own.token.credential, body: { scans } },
      )
    const before = await left(own)
    expect((await batch([{ accessPoints: scanOf(240) }])).status).toBe(200)
    expect(await left(own)).toBe(before - 13)
    const earlier = { accessPoints: scanOf(20), previousScans: [{ age: 5_000, accessPoints: scanOf(40) }] }
    expect((await batch([earlier, { accessPoints: scanOf(20) }])).status).toBe(200)
    expect(await left(own)).toBe(before - 18)
  })

  it('counts devices apart: a flood with a project key does not keep an admin from replacing it', async () => {
    const own = await newOrganization(stack)
    const before = await left(own)
    const { key } = own.project
    const send_ = (n: number) =>
      send(stack.gatewayUrls[n % 2] ?? '', 'POST', '/api/v0/upload', {
        credential: { kind: 'project_key', key },
        body: {},
      })
    const replies = []
    for (let i = 0; i < 10; i++) replies.push(await send_(i))
    expect(replies.every(({ headers }) => headers.get('ratelimit')?.includes('"organization"'))).toBe(true)
    expect(await left(own)).toBe(before - 1)
  })
})
