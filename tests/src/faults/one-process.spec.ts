import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'

const CLIENTS = 20
const DELAY_MS = 1_000

describe('a Bearing in one process', () => {
  const stack = stackForSuite({
    oneProcess: true,
    environment: { gateway: { SHUTDOWN_DELAY_MS: String(DELAY_MS) } },
  })
  const own = forSuite(() => newOrganization(stack))

  it('is ready when the gateway and every service are, and measures each of them', async () => {
    const { status, body } = await stack.readiness('gateway-1')
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ nats: 'ok', identity: 'ok', management: 'ok', location: 'ok' }),
    ])
    for (const name of ['gateway-1', 'identity', 'management', 'location'])
      expect(await stack.metrics(name)).toContain(`service="${name.replace('-1', '')}"`)
  })

  it('answers what identity, management and location answer', async () => {
    const organization = own.slug
    const [project, members, coverage] = await Promise.all([
      own.token.client.call('showProject', { organization, project: own.project.slug }),
      own.admin.client.call('listMembers', { organization }),
      own.admin.client.call('showCoverage', { organization }),
    ])
    expect(project.slug).toBe(own.project.slug)
    expect(members.data).toHaveLength(1)
    expect(coverage).toMatchObject({ total: { access_points: 0 } })
  })

  it('ends on SIGTERM after it has answered what it has accepted', async () => {
    const statuses: number[] = []
    let isStopping = false
    const ask = async () => {
      while (!isStopping) {
        const reply = await fetch(`${stack.gatewayUrls[0] ?? ''}/auth/me`, {
          headers: { authorization: `Bearer ${own.token.token}` },
        })
        statuses.push(reply.status)
        await reply.arrayBuffer()
      }
    }
    const clients = Array.from({ length: CLIENTS }, ask)
    await eventually(() => {
      expect(statuses.length).toBeGreaterThan(CLIENTS)
    })
    const stopped = stack.part('one').stop()
    isStopping = true
    await Promise.all([...clients, stopped])
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(
      stack
        .part('one')
        .output()
        .match(/"msg":"stopped"/g),
    ).toHaveLength(4)
    await stack.part('one').start()
    expect(await own.token.client.call('whoAmI', {})).toMatchObject({ kind: 'organization_token' })
  })

  it('ends within 3 s of SIGTERM and its SHUTDOWN_DELAY_MS if it has no work', async () => {
    const beganMs = performance.now()
    await stack.part('one').stop()
    expect(performance.now() - beganMs).toBeLessThan(DELAY_MS + 3_000)
  })
})
