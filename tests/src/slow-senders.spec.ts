import { connect, type Socket } from 'node:net'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestDevice } from './device-data.js'

const MIB = 1024 * 1024

describe('who sends slowly', () => {
  let stack: Stack
  let own: TestOrganization

  beforeAll(async () => {
    stack = await startStack({
      gateways: 1,
      services: ['identity', 'management'],
      environment: { gateway: { CHUNK_BODY_BYTES: String(4 * MIB) } },
    })
    own = await newOrganization(stack)
  })

  afterAll(() => stack.stop())

  it('holds no more memory than there is for all of them: others are told to come again, and are let in afterwards', async () => {
    const gateway = stack.gatewayUrls[0] ?? ''
    const device = new TestDevice(gateway, own, own.project)
    const large = 'x'.repeat(3 * MIB)
    let slow: Socket | undefined
    // Where the others were faster it is told to come again, too.
    const begin = () => {
      slow = connect({ port: Number(new URL(gateway).port), host: '127.0.0.1' })
      slow.on('error', () => undefined)
      slow.once('data', () => {
        slow?.destroy()
        begin()
      })
      slow.write(
        `POST /api/v0/chunks/SLOW HTTP/1.1\r\nHost: x\r\nService-Project-Key:${own.project.key}\r\nContent-Length: ${String(4 * MIB)}\r\n\r\n${large}`,
      )
    }
    begin()
    await eventually(
      async () => {
        const reply = await device.send(large)
        expect(reply.status).toBe(503)
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      },
      { withinMs: 20_000 },
    )
    expect((await device.send('small')).status).toBe(202)
    slow?.removeAllListeners('data').destroy()
    await eventually(
      async () => {
        expect((await device.send(large)).status).toBe(202)
      },
      { withinMs: 20_000 },
    )
  })
})
