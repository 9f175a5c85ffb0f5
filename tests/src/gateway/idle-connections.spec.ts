import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'

const CONNECTIONS = 10_000
const CONCURRENT = 500
const MIB = 1024 * 1024

const files = Number(/Max open files +(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
const isEnough = !(files < CONNECTIONS + 500)
const reason = isEnough ? '' : ` (skipped: a process may open ${String(files)} files here)`

const describeHere = isEnough ? describe : describe.skip

describeHere(`connections that are idle${reason}`, () => {
  let stack: Stack
  let own: TestOrganization

  beforeAll(async () => {
    stack = await startStack({
      gateways: 1,
      services: ['identity', 'management'],
      // Connections on which nothing is asked for so long are closed: by then, all of them have to be open.
      constants: { gateway: { REQUEST_TIMEOUT_MS: 600_000 } },
    })
    own = await newOrganization(stack)
  })

  afterAll(() => stack.stop())

  it('are held by the ten thousand: devices are answered beside them, and each of them when it speaks', async () => {
    const gateway = stack.gatewayUrls[0] ?? ''
    const port = Number(new URL(gateway).port)
    const device = new TestDevice(gateway, own, own.project)
    expect((await device.send('before')).status).toBe(202)
    const memoryBefore = residentBytes(stack)
    const sockets: Socket[] = []
    try {
      while (sockets.length < CONNECTIONS)
        sockets.push(...(await Promise.all(Array.from({ length: CONCURRENT }, () => open(port)))))
      for (let i = 0; i < 20; i++) expect((await device.send(`beside ${String(i)}`)).status).toBe(202)
      const perConnection = (residentBytes(stack) - memoryBefore) / CONNECTIONS
      expect(perConnection).toBeLessThan(20 * 1024)
      for (const index of [0, CONNECTIONS / 2, CONNECTIONS - 1])
        expect(await ask(sockets[index])).toMatch(/^HTTP\/1\.1 200 /)
      expect(sockets.filter(({ closed }) => closed)).toEqual([])
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    expect((await device.send('after')).status).toBe(202)
    expect(await device.stored(22)).toHaveLength(22)
    expect(residentBytes(stack)).toBeLessThan(memoryBefore + 200 * MIB)
  })
})

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

function ask(socket: Socket | undefined): Promise<string> {
  if (!socket) throw new Error('there is no such connection')
  return new Promise((resolve, reject) => {
    socket.once('data', (data) => {
      resolve(data.toString('latin1'))
    })
    socket.once('error', reject)
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n')
  })
}

/** Returns the gateway's resident memory, in bytes. */
function residentBytes(stack: Stack): number {
  const status = readFileSync(`/proc/${String(stack.part('gateway-1').pid)}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}
