import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'

type Line = Record<string, unknown>

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'

describe('every log line of a request', () => {
  const stack = stackForSuite({ services: ['identity', 'management'], gateways: 1 })
  const own = forSuite(() => newOrganization(stack))

  /** The lines about a request, once those of all these services are there: each has a pipe of its own. */
  async function linesOf(requestId: string, ...services: string[]): Promise<Line[]> {
    return eventually(() => {
      const lines = stack
        .output()
        .split('\n')
        .filter((line) => line.includes(requestId))
        .map((line) => JSON.parse(line) as Line) // a process prints nothing else
      expect(lines.map(({ service }) => service)).toEqual(expect.arrayContaining(['gateway', ...services]))
      return lines
    })
  }
  async function ask(path: string, headers: Record<string, string> = {}): Promise<string> {
    const id = randomUUID()
    await send(stack.gatewayUrls[0] ?? '', 'GET', path, {
      credential: own.token.credential,
      headers: { 'x-request-id': id, ...headers },
    })
    return id
  }

  it('comes after a warning of the gateway for each setting that is unset and dangerous behind a proxy', async () => {
    await eventually(() => {
      const warnings = stack
        .output()
        .split('\n')
        .filter((line) => line.includes(' is not set. '))
        .map((line) => JSON.parse(line) as Line) // a process prints nothing else
      expect(warnings).toEqual([
        expect.objectContaining({ service: 'gateway', msg: expect.stringMatching(/^PUBLIC_URL is not set/) }),
        expect.objectContaining({
          service: 'gateway',
          msg: expect.stringMatching(/^TRUSTED_PROXIES is not set/),
        }),
      ])
    })
  })

  it('has request id, trace id, organization id and credential id, in the gateway and in the service', async () => {
    const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`
    const id = await ask(`/api/v0/organizations/${own.slug}/projects`, { traceparent })
    const lines = (await linesOf(id, 'management')).filter(({ operation }) => !isAboutTheWay(operation))
    expect(lines.map(({ service }) => service).sort()).toEqual(['gateway', 'management'])
    for (const line of lines)
      expect(line).toMatchObject({
        request_id: id,
        trace_id: TRACE_ID,
        organization_id: own.id,
        credential_id: own.token.id,
        principal: 'organization_token',
      })
  })

  it('is there of the question where its address leads', async () => {
    const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`
    const id = await ask(`/api/v0/organizations/nobody-${own.slug}/projects`, { traceparent })
    expect(await linesOf(id, 'management')).toContainEqual(
      expect.objectContaining({
        operation: 'management.v1.address.resolve',
        request_id: id,
        trace_id: TRACE_ID,
      }),
    )
  })

  it('has one trace id where the client sent none, or one that is none', async () => {
    for (const traceparent of ['', 'nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`]) {
      const id = await ask(`/api/v0/organizations/${own.slug}/projects`, traceparent ? { traceparent } : {})
      const traces = new Set((await linesOf(id)).map(({ trace_id }) => trace_id))
      expect(traces.size).toBe(1)
      expect([...traces][0]).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
    }
  })

  it('is there for who is not let in, and for an address where there is nothing', async () => {
    for (const [path, credential, status] of [
      ['/auth/me', undefined, 401],
      ['/auth/me', { kind: 'organization_token', token: 'unknown' }, 401],
      ['/nowhere', own.token.credential, 404],
    ] as const) {
      const id = randomUUID()
      await send(stack.gatewayUrls[0] ?? '', 'GET', path, { credential, headers: { 'x-request-id': id } })
      expect(await linesOf(id)).toContainEqual(expect.objectContaining({ msg: 'request', status }))
    }
  })

  it('has them where the request is refused, as far as they are known', async () => {
    const denied = await ask(`/api/v0/organizations/${own.slug}/members`)
    expect(await linesOf(denied)).toContainEqual(
      expect.objectContaining({ status: 403, organization_id: own.id, credential_id: own.token.id }),
    )
  })

  /** Before the gateway knows who asks and about what, its questions cannot say so. */
  function isAboutTheWay(operation: unknown): boolean {
    return operation === 'identity.v1.credential.introspect' || operation === 'management.v1.address.resolve'
  }
})
