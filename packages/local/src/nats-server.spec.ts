import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { isPortFree } from './ports.js'
import { passwordUser, startNats } from './nats-server.js'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bearing-nats-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true })
})

const user = 'bearing'
const password = 'p"a\\ss: ü'
const cache = new URL('../../../.bearing/nats-server', import.meta.url).pathname
const start = () => startNats({ directory, cache, users: [passwordUser(user, password)] })
const open = (port: number) =>
  connect({ servers: `127.0.0.1:${port}`, user, pass: password, reconnect: false })

describe('startNats', () => {
  it('answers, keeps streams over a kill, and leaves nothing listening', async () => {
    const first = await start()
    const connection = await open(first.port)
    const streams = await jetstreamManager(connection)
    await streams.streams.add({ name: 'KEPT', subjects: ['kept.>'] })
    await jetstream(connection).publish('kept.one', 'hello')
    await connection.drain()
    await first.kill()

    const second = await start()
    const again = await open(second.port)
    const info = await (await jetstreamManager(again)).streams.info('KEPT')
    expect(info.state.messages).toBe(1)
    await again.close()
    await second.stop()
    expect(await isPortFree(second.port, '127.0.0.1')).toBe(true)
  })

  it('refuses who has no password, and keeps it where only the caller reads it', async () => {
    const nats = await start()
    await expect(connect({ servers: `127.0.0.1:${nats.port}`, reconnect: false })).rejects.toThrow(
      /authorization/i,
    )
    expect((await stat(join(directory, 'nats.conf'))).mode & 0o777).toBe(0o600)
    await nats.stop()
  })
})
