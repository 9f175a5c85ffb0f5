import { DEFAULT_DATA_POLICY } from '@bearing/contracts/management/data/data-policy'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'

describe('what devices may send while management is away', () => {
  const stack = stackForSuite({ gateways: 1, services: ['identity', 'management'] })
  const own = forSuite(() => newOrganization(stack))

  it('a policy that was read once holds, and where none was read nobody is let in who may not be known: 503', async () => {
    const gateway = stack.gatewayUrls[0] ?? ''
    const read = new TestDevice(gateway, own, own.project)
    const project = await newProject(own)
    await own.token.client.call('changeDataPolicy', {
      organization: own.slug,
      project: project.slug,
      ...DEFAULT_DATA_POLICY,
      known_devices_only: true,
    })
    const outsider = new TestDevice(gateway, own, project)
    expect((await read.send('x')).status).toBe(202)
    await stack.part('management').stop()
    expect((await read.send('y')).status).toBe(202)
    const reply = await outsider.send('x')
    expect(reply.status).toBe(503)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    await stack.part('management').start()
    await eventually(
      async () => {
        expect((await outsider.send('x')).status).toBe(403)
      },
      { withinMs: 20_000, everyMs: 100 },
    )
    expect(await read.stored(2)).toEqual(['x', 'y'])
  })
})
