import { newOrganization, newToken } from '@bearing/testing/factories'
import { eventually } from '@bearing/testing/eventually'
import { startStack } from '@bearing/testing/stack'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'

describe('the last use of an organization token', () => {
  const stack = stackForSuite({
    services: ['identity', 'management'],
    constants: { gateway: { REPORT_INTERVAL_MS: 1_000 } },
  })
  const own = forSuite(() => newOrganization(stack))

  const use = (token: { credential: typeof own.token.credential }, agent: string, gateway = 0) =>
    send(stack.gatewayUrls[gateway] ?? '', 'GET', `/api/v0/organizations/${own.slug}/projects`, {
      credential: token.credential,
      headers: { 'user-agent': agent },
    })
  const lastUsed = async (id: string, gateway = 1) => {
    const { json } = await send(
      stack.gatewayUrls[gateway] ?? '',
      'GET',
      `/api/v0/organizations/${own.slug}/auth_tokens`,
      { credential: own.admin.credential },
    )
    return (json?.data as { id: string; last_used: { at: string } | null }[]).find((one) => one.id === id)
      ?.last_used
  }
  const patience = { withinMs: 30_000, everyMs: 100 }

  it('is listed with its time, address and user agent, and the latest of all gateways counts', async () => {
    const token = await newToken(own, stack)
    expect(await lastUsed(token.id)).toBeNull()
    await use(token, 'first/1.0', 0)
    const before = Date.now()
    expect((await use(token, `second/2.0 ${'x'.repeat(200)}`, 1)).status).toBe(200)
    await eventually(async () => {
      const last = await lastUsed(token.id)
      expect(last).toMatchObject({
        address: '127.0.0.1',
        user_agent: `second/2.0 ${'x'.repeat(117)}`,
      })
      expect(Date.parse(last?.at ?? '')).toBeGreaterThanOrEqual(before)
    }, patience)
  })

  it('is not the one that was refused for its address', async () => {
    const { id, token } = await own.admin.client.call('createOrganizationToken', {
      organization: own.slug,
      description: 'bound',
      allowed_addresses: ['192.0.2.1'],
    })
    expect((await use({ credential: { kind: 'organization_token', token } }, 'refused')).status).toBe(403)
    const marker = await newToken(own, stack)
    await use(marker, 'marker')
    await eventually(async () => {
      expect(await lastUsed(marker.id)).not.toBeNull()
    }, patience)
    expect(await lastUsed(id)).toBeNull()
  })

  it('does not delay a request, and is reported later, while identity is down', async () => {
    const token = await newToken(own, stack)
    await use(token, 'before')
    await eventually(async () => {
      expect(await lastUsed(token.id)).toMatchObject({ user_agent: 'before' })
    }, patience)
    await use(token, 'kept')
    await stack.part('identity').stop()
    expect((await use(token, 'during')).status).toBe(200)
    await stack.part('identity').start()
    await eventually(async () => {
      expect(await lastUsed(token.id)).toMatchObject({ user_agent: 'during' })
    }, patience)
  })
})

describe('a gateway that stops', () => {
  it('reports pending uses on shutdown, and none before its minute is over', async () => {
    await using stack = await startStack({ services: ['identity', 'management'] })
    const own = await newOrganization(stack)
    const list = async () => {
      const credential = own.admin.credential
      const path = `/api/v0/organizations/${own.slug}/auth_tokens`
      return (await send(stack.gatewayUrls[1] ?? '', 'GET', path, { credential })).json?.data
    }
    const used = await send(stack.gatewayUrls[0] ?? '', 'GET', '/auth/me', {
      credential: own.token.credential,
      headers: { 'user-agent': 'last words' },
    })
    expect(used.status).toBe(200)
    expect(await list()).toMatchObject([{ id: own.token.id, last_used: null }])
    await stack.part('gateway-1').stop()
    expect(await list()).toMatchObject([{ id: own.token.id, last_used: { user_agent: 'last words' } }])
  })
})
