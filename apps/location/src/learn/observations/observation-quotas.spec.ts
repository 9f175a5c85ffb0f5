import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { submitObservations } from '@bearing/contracts/location/observations/observation'
import { OBSERVATION_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { eventually } from '@bearing/testing/eventually'
import { v7 } from 'uuid'
import { Callers, type Caller } from '../../testing/test-caller.js'

describe('the quotas of observations', () => {
  const stack = stackForSuite({
    services: ['identity', 'location'],
    gateways: 0,
    constants: {
      location: { PROJECT_OBSERVATION_BYTES_PER_DAY: 4000, ORGANIZATION_OBSERVATION_BYTES_PER_DAY: 6000 },
    },
  })
  const callers = forSuite(() => Callers.open(stack.natsUrl))

  let scans = 0
  /** Submits one observation of about 500 bytes at a time, until one is refused. */
  async function submitUntilRefused(caller: Caller & { organizationId: string }, project_id: string) {
    for (let accepted = 0; ; accepted++) {
      scans++
      const item = {
        id: `scan-${String(scans)}`.padEnd(100, '.'),
        timestamp: Date.now() - 60_000 + scans,
        position: { latitude: 48, longitude: 11 + scans * 1e-4, accuracy: 8 },
        wifiAccessPoints: [1, 2, 3].map((number) => ({
          macAddress: `06000000000${String(number)}`,
          signalStrength: -50,
        })),
      }
      try {
        const { organizationId: organization_id } = caller
        await caller.call(submitObservations, { organization_id, project_id, items: [item] })
      } catch (error) {
        return { accepted, error: error as { code: string; details: unknown } }
      }
    }
  }

  it('bound the bytes of a day of a project, and of all projects of an organization together, and of nobody else', async () => {
    const caller = await callers.newOrganization()
    const refused = (scope: string, limit: number) => ({
      code: 'rate_limited',
      details: {
        retry_after: expect.any(Number) as unknown,
        quota: { resource: 'observations', scope, limit, raised_by: 'nobody' },
      },
    })
    const first = await submitUntilRefused(caller, v7())
    expect(first.error).toMatchObject(refused('project', 4_000))
    const second = await submitUntilRefused(caller, v7())
    expect(second.error).toMatchObject(refused('organization', 6_000))
    expect(second.accepted).toBeGreaterThan(0)
    expect(second.accepted).toBeLessThan(first.accepted)
    // Refused observations are not counted.
    const third = await submitUntilRefused(caller, v7())
    expect(third).toMatchObject({ accepted: 0, error: refused('organization', 6_000) })
    const other = await submitUntilRefused(await callers.newOrganization(), v7())
    expect(other.accepted).toBe(first.accepted)
  })

  it('do not count observations that could not be stored', async () => {
    const caller = await callers.newOrganization()
    const nats = await connectNats({ url: stack.natsUrl, name: 'observation-quotas-spec' })
    try {
      await limitQueue(nats, 1)
      for (let attempt = 0; attempt < 20; attempt++) {
        const { accepted, error } = await submitUntilRefused(caller, v7())
        expect(accepted).toBe(0)
        expect(['overloaded', 'service_unavailable']).toContain(error.code)
      }
    } finally {
      await limitQueue(nats, -1)
      await nats.drain()
    }
    const project = v7()
    await eventually(async () =>
      expect((await submitUntilRefused(caller, project)).accepted).toBeGreaterThan(0),
    )
  })
})

/** Sets how many bytes the queue of observations may have. */
async function limitQueue({ raw }: Connection, max_bytes: number): Promise<void> {
  const { name } = OBSERVATION_STREAM
  const info = (await raw.request(`$JS.API.STREAM.INFO.${name}`)).json<{ config: object }>()
  const config = JSON.stringify({ ...info.config, max_bytes })
  const reply = (await raw.request(`$JS.API.STREAM.UPDATE.${name}`, config)).json<{ error?: unknown }>()
  expect(reply.error).toBeUndefined()
}
