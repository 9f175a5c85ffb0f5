import { issueServiceClaims } from '@bearing/contracts/identity/people/user'
import { listProjects } from '@bearing/contracts/management/tenancy/project'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { callAsOperator } from './call-as-operator.js'
import { eventually } from './eventually.js'
import { clientFor, newMember, newOrganization, newProject, newUser } from './factories.js'
import { readNamedStack } from './named-stacks.js'
import { startStack, testStack, type Stack } from './stack.js'

describe('the shared stack', () => {
  it('has two gateways, and one organization does not reach another', async () => {
    const [one, other] = await Promise.all([newOrganization(), newOrganization()])
    for (const gateway of [0, 1]) {
      const client = clientFor(one.token.credential, testStack(), gateway)
      const { data } = await client.call('listProjects', { organization: one.slug })
      expect(data.map((project) => project.id)).toEqual([one.project.id])
      await expect(client.call('listProjects', { organization: other.slug })).rejects.toMatchObject({
        code: 'organization_not_found',
      })
    }
  })

  it('gives members the roles they are asked to have', async () => {
    const organization = await newOrganization()
    const second = await newProject(organization)
    const reader = await newMember(organization, 'member', [{ project: second, role: 'reader' }])
    const { data } = await reader.client.call('listProjects', { organization: organization.slug })
    expect(data.map((project) => project.id)).toEqual([second.id])
    const scope = { organization: organization.slug, project: second.slug }
    expect(await reader.client.call('showProjectKey', scope)).toMatchObject({ api_key: second.key })
    await expect(reader.client.call('cycleProjectKey', scope)).rejects.toMatchObject({
      code: 'permission_denied',
    })
  })

  it('lets an operator do what operators may, and no more', async () => {
    const { id } = await newOrganization()
    // NATS does not let operators ask; and where somebody else asks with their claims, management refuses it.
    await expect(callAsOperator(listProjects, { organization_id: id })).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    const connection = await connectNats({ url: testStack().natsUrl, name: 'test' })
    const client = new NatsClient(connection)
    const { claims } = await client.call(issueServiceClaims, { name: 'operator', audience: 'management' })
    await expect(client.call(listProjects, { organization_id: id }, { claims })).rejects.toMatchObject({
      code: 'permission_denied',
    })
    await connection.drain()
  })
})

it('a named stack is the same for all suites that ask for it at the same time, and is not the shared one', async () => {
  const [stack, again] = await Promise.all([readNamedStack('small-limits'), readNamedStack('small-limits')])
  expect(again).toEqual(stack)
  expect(stack.natsUrl).not.toBe(testStack().natsUrl)
  const user = await newUser(stack)
  for (const gateway of [0, 1])
    expect(await clientFor(user.credential, stack, gateway).call('whoAmI', {})).toMatchObject({
      user_id: user.id,
    })
})

describe('a stack of its own', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ gateways: 1 })
  })
  afterAll(async () => {
    await stack.stop()
  })

  it('shares nothing with the other', async () => {
    const user = await newUser(stack)
    await expect(clientFor(user.credential).call('whoAmI', {})).rejects.toMatchObject({
      code: 'credential_invalid',
    })
    expect(await user.client.call('whoAmI', {})).toMatchObject({ user_id: user.id })
  })

  it('comes back at the same address when a part of it was killed', async () => {
    const user = await newUser(stack)
    for (const name of ['nats', 'identity', 'gateway-1']) {
      await stack.part(name).kill()
      await stack.part(name).start()
      await eventually(() => user.client.call('whoAmI', {}), { withinMs: 30_000 })
    }
  })

  it('runs more than one process of a service', async () => {
    const replica = await stack.addReplica('identity')
    await stack.part('identity').stop()
    expect(await newUser(stack)).toMatchObject({ email: expect.stringContaining('@') })
    await stack.part('identity').start()
    await replica.stop()
  })

  it('keeps what every process has printed', () => {
    expect(stack.output()).toContain('identity is ready')
    expect(stack.output()).toContain('Server is ready')
  })
})

it('lets services write their logs to files, of which the end can be read', async () => {
  const stack = await startStack({ services: ['identity'], gateways: 1, writeLogFiles: true })
  await newUser(stack)
  for (const part of ['identity', 'gateway']) expect(stack.output()).toContain(`${part} is ready`)
  await stack.stop()
})

it('may have a Postgres of its own, which keeps its data over a crash', async () => {
  await using stack = await startStack({ postgres: 'own', services: ['identity'], gateways: 1 })
  const user = await newUser(stack)
  await stack.part('postgres').kill()
  await stack.part('postgres').start()
  const again = clientFor({ kind: 'user', email: user.email, secret: user.password }, stack)
  expect(await eventually(() => again.call('whoAmI', {}), { withinMs: 30_000 })).toMatchObject({
    user_id: user.id,
  })
  expect(() => stack.part('management')).toThrow('no part "management"')
})

it('fails when it is stopped where NATS has refused a service something, and says who was refused what', async () => {
  const stack = await startStack({ services: ['identity'], gateways: 0 })
  const seed = stack.nkeySeeds.introspector
  await expect(stack.replace('identity', { NATS_NKEY_SEED: seed })).rejects.toThrow('before it was ready')
  await expect(stack.stop()).rejects.toThrow(
    // The order of the refusals is a matter of time.
    /^NATS has refused services what they need: identity: (?:Publish|Subscription) to \S+; .* and \d+ more$/,
  )
})

it('waits no longer than `withinMs`', async () => {
  let attempts = 0
  const attempt = eventually(() => Promise.reject(new Error(`not yet: ${String(++attempts)}`)), {
    withinMs: 100,
  })
  await expect(attempt).rejects.toThrow('not yet')
  const atTheEnd = attempts
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(attempts).toBe(atTheEnd)
})
