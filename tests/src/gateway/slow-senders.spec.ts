import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'

const MIB = 1024 * 1024
const LARGEST = 4 * MIB
const SLOW = 1_000
/** Size of the upload of each slow connection, in bytes: all of them together send more than a gateway may hold. */
const SENT = MIB

describe('slow uploads', () => {
  let stack: Stack
  let own: TestOrganization
  const slow = new Set<Socket>()

  beforeAll(async () => {
    stack = await startStack({ gateways: 1, services: ['identity', 'management'] })
    own = await newOrganization(stack)
  })

  afterAll(async () => {
    for (const socket of slow) socket.destroy()
    await stack.stop()
  })

  const gateway = () => stack.gatewayUrls[0] ?? ''
  const residentBytes = () =>
    Number(
      /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${stack.part('gateway-1').pid}/status`, 'utf8'))?.[1],
    ) * 1024

  /** Begins the largest body there is, and never ends it. */
  function sendSlowly(key: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: Number(new URL(gateway()).port), host: '127.0.0.1' })
      slow.add(socket)
      socket.once('error', reject)
      socket.resume()
      const head = `POST /api/v0/chunks/SLOW HTTP/1.1\r\nHost: x\r\nService-Project-Key: ${key}\r\nContent-Length: ${String(LARGEST)}\r\n\r\n`
      socket.write(head + 'x'.repeat(SENT), () => {
        socket.off('error', reject).on('error', () => undefined)
        resolve(socket)
      })
    })
  }

  it('of the largest body, a thousand with one project key, leave the gateway below 400 MiB, and others are served', async () => {
    const other = new TestDevice(gateway(), own, await newProject(own))
    expect((await other.send('before')).status).toBe(202)
    let highest = 0
    for (let i = 0; i < SLOW; i += 50) {
      await Promise.all(Array.from({ length: 50 }, () => sendSlowly(own.project.key)))
      highest = Math.max(highest, residentBytes())
      expect((await other.send('x'.repeat(MIB))).status).toBe(202)
    }
    expect(highest).toBeLessThan(400 * MIB)
    const one = new TestDevice(gateway(), own, own.project)
    await eventually(async () => {
      const refused = await one.send('x'.repeat(LARGEST))
      expect(refused.status).toBe(503)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    })
    for (const socket of slow) socket.destroy()
    await eventually(async () => {
      expect((await one.send('x'.repeat(LARGEST))).status).toBe(202)
    })
  }, 120_000)
})
