import { createSocket, type Socket } from 'node:dgram'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, newToken, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { FakeProvider } from '../tools/fake-provider.js'
import { Tarpit } from '../tools/tarpit.js'
import { RECEIVER_ADDRESS, WebhookReceiver } from '../tools/webhook-receiver.js'

/** Calls of one organization or person that may wait at the same time. */
const SHARE = 4

describe('addresses that are slow on purpose', () => {
  let stack: Stack
  let names: Socket
  /** Questions that the name server got, by their numbers: one that is repeated keeps its own. */
  const questions = new Set<number>()
  let greedy: TestOrganization
  let other: TestOrganization
  let tarpit: Tarpit

  beforeAll(async () => {
    // A name server that never answers.
    names = createSocket('udp4').on('message', (question) => questions.add(question.readUInt16BE()))
    await new Promise<void>((resolve) => names.bind(0, '127.0.0.1', resolve))
    const DNS_SERVERS = `127.0.0.1:${String(names.address().port)}`
    stack = await startStack({
      gateways: 1,
      services: ['identity', 'management'],
      environment: { identity: { DNS_SERVERS } },
      constants: { management: { WEBHOOK_TIMEOUT_MS: 30_000 } },
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

  /** Waits until so many calls wait for the tarpit. */
  const held = (count: number) =>
    eventually(() => {
      expect(tarpit.accepted).toBe(count)
    })

  const times = <Item>(count: number, item: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => item(index))

  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      (error: unknown) => (error as { code?: string }).code,
    )

  it('keep a few calls of the person who names them waiting, in whichever organization, and nobody else: providers', async () => {
    const { client } = greedy.admin
    const slug = `${greedy.slug.slice(0, 50)}-too`
    await client.call('createOrganization', { name: 'Too', slug })
    await eventually(() => client.call('listSsoConnections', { organization: slug }))
    const provider = await FakeProvider.start()
    const create = (organization: TestOrganization, issuer: string, at = organization.slug) =>
      organization.admin.client.call('createSsoConnection', {
        organization: at,
        name: 'Slow',
        issuer,
        client_id: 'x',
      })
    const both = [slug, greedy.slug]
    const waiting = times(SHARE, (index) => codeOf(create(greedy, tarpit.url, both[index % 2])))
    await held(SHARE)
    expect(await Promise.all(both.map((at) => codeOf(create(greedy, tarpit.url, at))))).toEqual([
      'rate_limited',
      'rate_limited',
    ])
    expect(await create(other, provider.issuer)).toMatchObject({ issuer: provider.issuer })
    expect(await (await newToken(other, stack)).client.call('whoAmI', {})).toMatchObject({
      kind: 'organization_token',
    })
    expect(await Promise.all(waiting)).toEqual(times(SHARE, () => 'sso_provider_unusable'))
    expect(tarpit.accepted).toBe(SHARE)
    // The places are given back.
    expect(await create(greedy, provider.issuer)).toMatchObject({ issuer: provider.issuer })
    await provider.stop()
  })

  it('keep a few calls of one organization waiting: the DNS of domains', async () => {
    const verify = ({ slug, admin }: TestOrganization) =>
      codeOf(admin.client.call('verifySsoDomain', { organization: slug, domain: 'slow.example' }))
    for (const { slug, admin } of [greedy, other])
      await admin.client.call('addSsoDomain', { organization: slug, domain: 'slow.example' })
    const waiting = times(SHARE, () => verify(greedy))
    await eventually(() => {
      expect(questions.size).toBeGreaterThanOrEqual(SHARE)
    })
    expect(await Promise.all([verify(greedy), verify(other)])).toEqual([
      'rate_limited',
      'service_unavailable',
    ])
    expect(await Promise.all(waiting)).toEqual(times(SHARE, () => 'service_unavailable'))
  })

  it('keep one test of a webhook waiting, a few of one organization, and nobody else', async () => {
    const create = async ({ slug, token }: TestOrganization, url: string, project: string) => {
      const { id } = await token.client.call('createWebhook', { organization: slug, project, url })
      return { organization: slug, project, webhook_id: id }
    }
    type Place = Awaited<ReturnType<typeof create>>
    const test = (place: Place, { token }: TestOrganization) => token.client.call('testWebhook', place)
    const projects = [greedy.project, await newProject(greedy)]
    const slow = await Promise.all(
      times(SHARE + 1, (index) => create(greedy, tarpit.url, projects[index % 2]?.slug ?? '')),
    )
    const receiver = await WebhookReceiver.start()
    const quick = await create(other, receiver.url, other.project.slug)
    const waiting: Promise<string | undefined>[] = []
    for (const place of slow.slice(0, SHARE)) {
      waiting.push(codeOf(test(place, greedy)))
      await held(waiting.length)
      expect(await codeOf(test(place, greedy))).toBe('rate_limited')
    }
    for (const place of slow) expect(await codeOf(test(place, greedy))).toBe('rate_limited')
    expect(await test(quick, other)).toMatchObject({ state: 'delivered' })
    expect(tarpit.accepted).toBe(SHARE)
    tarpit.hangUp()
    expect(await Promise.all(waiting)).toEqual(times(SHARE, () => 'done'))
    await receiver.stop()
  })
})
