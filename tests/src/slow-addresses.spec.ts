import { createSocket, type Socket } from 'node:dgram'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, newToken, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { PlayProvider } from './play-provider.js'
import { Tarpit } from './tarpit.js'
import { RECEIVER_ADDRESS, WebhookReceiver } from './webhook-receiver.js'

/** More calls than may wait in a process, in all. */
const MANY = 60
/** Those of one organization or person that may. */
const SHARE = 4

describe('addresses that are slow on purpose', () => {
  let stack: Stack
  let names: Socket
  let greedy: TestOrganization
  let other: TestOrganization
  let tarpit: Tarpit

  beforeAll(async () => {
    // A name server that never answers.
    names = createSocket('udp4')
    await new Promise<void>((resolve) => names.bind(0, '127.0.0.1', resolve))
    const DNS_SERVERS = `127.0.0.1:${String(names.address().port)}`
    stack = await startStack({
      gateways: 1,
      services: ['identity', 'management'],
      environment: { identity: { DNS_SERVERS }, management: { WEBHOOK_TIMEOUT_MS: '5000' } },
    })
    greedy = await newOrganization(stack)
    other = await newOrganization(stack)
  })

  afterAll(async () => {
    await stack.stop()
    names.close()
  })

  beforeEach(async () => {
    tarpit = await Tarpit.start(RECEIVER_ADDRESS)
  })

  afterEach(() => tarpit.stop())

  /** Makes a call many times at once. `outcomes` are the codes that they end with, `ended` those of which that is known. */
  function flood(call: (index: number) => Promise<unknown>) {
    const ended: string[] = []
    const calls = Array.from({ length: MANY }, async (_, index) => {
      const outcome = await call(index).then(
        () => 'done',
        (error: unknown) => String((error as { code?: string }).code),
      )
      ended.push(outcome)
    })
    return { ended, outcomes: () => Promise.all(calls).then(() => ended) }
  }

  const times = (count: number, outcome: string) => Array.from({ length: count }, () => outcome)

  it('keep a few calls of the person who names them waiting, in whichever organization, and nobody else: providers', async () => {
    const { client } = greedy.admin
    const slug = `${greedy.slug.slice(0, 50)}-too`
    await client.call('createOrganization', { name: 'Too', slug })
    await eventually(() => client.call('listSsoConnections', { organization: slug }))
    const provider = await PlayProvider.start()
    const create = (organization: TestOrganization, issuer: string, at = organization.slug) =>
      organization.admin.client.call('createSsoConnection', {
        organization: at,
        name: 'Slow',
        issuer,
        client_id: 'x',
      })
    const { ended, outcomes } = flood((index) =>
      create(greedy, tarpit.url, index % 2 === 0 ? slug : greedy.slug),
    )
    await eventually(() => {
      expect(ended).toHaveLength(MANY - SHARE)
    })
    expect(await create(other, provider.issuer)).toMatchObject({ issuer: provider.issuer })
    expect(await (await newToken(other, stack)).client.call('whoAmI', {})).toMatchObject({
      kind: 'organization_token',
    })
    expect(ended).toEqual(times(MANY - SHARE, 'rate_limited'))
    expect(await outcomes()).toEqual([
      ...times(MANY - SHARE, 'rate_limited'),
      ...times(SHARE, 'sso_provider_unusable'),
    ])
    expect(tarpit.accepted).toBe(SHARE)
    // The places are given back.
    expect(await create(greedy, provider.issuer)).toMatchObject({ issuer: provider.issuer })
    await provider.stop()
  })

  it('keep a few calls of one organization waiting: the DNS of domains', async () => {
    const verify = ({ slug, admin }: TestOrganization, domain: string) =>
      admin.client.call('verifySsoDomain', { organization: slug, domain })
    for (const { slug, admin } of [greedy, other])
      await admin.client.call('addSsoDomain', { organization: slug, domain: 'slow.example' })
    const { ended, outcomes } = flood(() => verify(greedy, 'slow.example'))
    await eventually(() => {
      expect(ended).toHaveLength(MANY - SHARE)
    })
    expect(ended).toEqual(times(MANY - SHARE, 'rate_limited'))
    await expect(verify(other, 'slow.example')).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await outcomes()).toEqual([
      ...times(MANY - SHARE, 'rate_limited'),
      ...times(SHARE, 'service_unavailable'),
    ])
  })

  it('keep one test of a webhook waiting, a few of one organization, and nobody else', async () => {
    const create = async ({ slug, token }: TestOrganization, url: string, project: string) => {
      const { id } = await token.client.call('createWebhook', { organization: slug, project, url })
      return { organization: slug, project, webhook_id: id }
    }
    const projects = [greedy.project, await newProject(greedy)]
    const slow: Awaited<ReturnType<typeof create>>[] = []
    for (let index = 0; index < 2 * SHARE; index++)
      slow.push(await create(greedy, tarpit.url, projects[index % 2]?.slug ?? ''))
    const receiver = await WebhookReceiver.start()
    const quick = await create(other, receiver.url, other.project.slug)
    const test = (place: typeof quick, { token }: TestOrganization) => token.client.call('testWebhook', place)
    const [first = quick] = slow
    const one = flood(() => test(first, greedy))
    await eventually(() => {
      expect(one.ended).toHaveLength(MANY - 1)
    })
    const all = flood((index) => test(slow[index % slow.length] ?? first, greedy))
    await eventually(() => {
      expect(all.ended).toHaveLength(MANY - (SHARE - 1))
    })
    expect(await test(quick, other)).toMatchObject({ state: 'delivered' })
    expect(new Set([...one.ended, ...all.ended])).toEqual(new Set(['rate_limited']))
    expect(tarpit.accepted).toBe(SHARE)
    expect(await one.outcomes()).toEqual([...times(MANY - 1, 'rate_limited'), 'done'])
    await all.outcomes()
    await receiver.stop()
  })
})
