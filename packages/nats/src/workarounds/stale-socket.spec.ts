import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { freePort } from '@bearing/local/ports'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { connectNats } from '../connection.js'

let directory: string
let nats: Nats

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bearing-stale-'))
  const cache = join(import.meta.dirname, '..', '..', '..', '.bearing', 'nats-server')
  nats = await startNats({ directory, cache, users: [passwordUser('test', 'test')] })
})

afterAll(async () => {
  await nats.stop()
  await rm(directory, { recursive: true })
})

/** A way to NATS that can vanish: what is sent there is neither read nor refused, as by a host without power. */
class VanishingWay implements AsyncDisposable {
  private readonly sockets: Socket[] = []
  private readonly server: Server = createServer((client) => {
    const server = connect(nats.port, '127.0.0.1')
    for (const socket of [client, server]) this.sockets.push(socket.on('error', () => undefined))
    client.pipe(server).pipe(client)
  })

  async open(): Promise<number> {
    const port = await freePort()
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve))
    return port
  }

  vanish(): void {
    this.server.close()
    for (const socket of this.sockets) socket.unpipe().pause()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
    await Promise.resolve()
  }
}

it('a busy connection leaves a server that vanished within 10 s, though its last flush can never end', async () => {
  await using way = new VanishingWay()
  const port = await way.open()
  const url = [port, nats.port].map((each) => `nats://test:test@127.0.0.1:${String(each)}`).join(',')
  // The servers are tried in a random order.
  let connection = await connectNats({ url, name: 'busy' })
  while (!connection.raw.getServer().endsWith(`:${String(port)}`)) {
    await connection.raw.close()
    connection = await connectNats({ url, name: 'busy' })
  }
  try {
    expect(await connection.ping()).toBeGreaterThanOrEqual(0)
    expect(connection.reconnects).toBe(0)
    way.vanish()
    const vanishedMs = performance.now()
    const bytes = new Uint8Array(100_000)
    while (connection.reconnects === 0 && performance.now() - vanishedMs < 20_000) {
      // More than the system takes from us: the rest waits in this process.
      if (connection.isUp) connection.raw.publish('somewhere', bytes)
      await sleep(1)
    }
    expect(performance.now() - vanishedMs).toBeLessThan(10_000)
    expect(connection.isUp).toBe(true)
    expect(connection.downMs).toBe(0)
    expect(await connection.ping()).toBeGreaterThanOrEqual(0)
  } finally {
    await connection.raw.close()
  }
})
