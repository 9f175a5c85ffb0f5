import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { withTerraform, Workspace } from './terraform.js'

withTerraform('failures in Terraform', () => {
  let own: TestOrganization

  beforeEach(async () => {
    own = await newOrganization()
  })

  const NOTHING = 'No changes.'
  const PROJECT =
    'resource "bearing_project" "gate" {\n name = "Gate"\n slug = "gate"\n deletion_protection = false\n}\n'
  const device = (attributes: string, more = '') => `${PROJECT}
resource "bearing_device" "one" {
  project_id    = bearing_project.gate.id
  device_serial = "DEVICE-1"
  attributes    = ${attributes}
}
${more}`

  it('the next apply repairs what has failed in part', async () => {
    await using workspace = await Workspace.create(own)
    const { code, output } = await workspace.tryApply(device('{ floor = "3" }'))
    expect([code, output]).toEqual([1, expect.stringContaining('attribute_not_found')])
    expect((await workspace.state()).resources.map(({ address }) => address)).toEqual([
      'bearing_device.one',
      'bearing_project.gate',
    ])
    const declared = `resource "bearing_device_attribute" "floor" {
  project_id = bearing_project.gate.id
  attribute  = "floor"
  type       = "number"
}
`
    await workspace.apply(device('{ (bearing_device_attribute.floor.attribute) = "3" }', declared))
    expect(await workspace.plan()).toContain(NOTHING)
    const scope = { organization: own.slug, project: 'gate', device_serial: 'DEVICE-1' }
    expect(await own.admin.client.call('showDevice', scope)).toMatchObject({ attributes: { floor: 3 } })
  }, 120_000)

  /** Answers as a busy gateway does; false: the request continues to the gateway. */
  type Busy = (request: IncomingMessage, response: ServerResponse) => boolean

  let close: () => void = () => undefined
  afterEach(() => {
    close()
  })

  /** Starts a proxy before the gateway. */
  async function proxy(isBusy: Busy): Promise<string> {
    const server = createServer((request, response) => {
      if (!isBusy(request, response)) void forward(request, response)
    })
    close = () => {
      server.closeAllConnections()
      server.close()
    }
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens
    return `http://127.0.0.1:${String(port)}`
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { authorization = '' } = request.headers
    const reply = await fetch(`${testStack().gatewayUrls[0] ?? ''}${request.url ?? ''}`, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const type = reply.headers.get('content-type') ?? 'application/json'
    response.writeHead(reply.status, { 'content-type': type }).end(await reply.text())
  }

  const admin = () => ({ BEARING_EMAIL: own.admin.email, BEARING_PASSWORD: own.admin.apiKey })

  it('429 and 503 are retried after the time that they name', async () => {
    const times: number[] = []
    const url = await proxy((request, response) => {
      if (request.method !== 'POST') return false
      times.push(Date.now())
      if (times.length > 2) return false
      const status = times.length === 1 ? 429 : 503
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' }
      response.writeHead(status, headers).end(JSON.stringify({ title: 'Busy', code: 'rate_limited' }))
      return true
    })
    await using workspace = await Workspace.create(own, { ...admin(), BEARING_URL: url })
    await workspace.apply(PROJECT)
    const [first = 0, second = 0, third = 0] = times
    expect(second - first).toBeGreaterThanOrEqual(1_000)
    expect(third - second).toBeGreaterThanOrEqual(1_000)
  }, 60_000)

  it.each([
    ['timeout_seconds of the provider', `provider "bearing" {\n timeout_seconds = 2\n}\n${PROJECT}`],
    ['the timeouts of its resource', PROJECT.replace('}', ' timeouts = { create = "2s" }\n}')],
  ])(
    'an operation ends after %s',
    async (_, configuration) => {
      const url = await proxy(({ method }) => method === 'POST')
      await using workspace = await Workspace.create(own, { ...admin(), BEARING_URL: url })
      const began = performance.now()
      await expect(workspace.apply(configuration)).rejects.toThrow('timeout')
      expect(performance.now() - began).toBeLessThan(20_000)
    },
    60_000,
  )

  it('timeouts are refused in another form, and kept in a state that is planned without changes', async () => {
    await using workspace = await Workspace.create(own)
    const withTimeouts = (value: string) => PROJECT.replace('}', ` timeouts = { update = "${value}" }\n}`)
    const { code, output } = await workspace.tryApply(withTimeouts('5 minutes'))
    expect([code, output]).toEqual([1, expect.stringContaining('write it as')])
    await workspace.apply(withTimeouts('5m'))
    expect(await workspace.plan()).toContain(NOTHING)
  }, 60_000)
})
