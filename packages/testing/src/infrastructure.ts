import { join } from 'node:path'
import { startNats } from '@bearing/local/nats-server'
import { startPostgres } from '@bearing/local/postgres'
import type { Launch } from './part.js'
import { reservePort } from './reserve-port.js'

/** Of Postgres and NATS. They listen on 127.0.0.1, for as long as the tests run. */
const PASSWORD = 'of-a-test'

/** A process that is started again at the same address. */
export interface Infrastructure {
  readonly url: string
  readonly launch: Launch
}

/** A Postgres of one's own; its data is kept in `directory`. */
export async function ownPostgres(directory: string): Promise<Infrastructure> {
  const port = await reservePort()
  return {
    url: `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    launch: (log) =>
      startPostgres({
        directory: join(directory, 'postgres'),
        password: PASSWORD,
        port,
        durable: false,
        // Several stacks, each with three services that hold a pool.
        settings: { max_connections: '300' },
        log,
      }),
  }
}

/**
 * A NATS of one's own; what JetStream stores is kept in `directory`.
 *
 * @param cache where `nats-server` is unpacked to, when it is not on PATH
 */
export async function ownNats(directory: string, cache: string): Promise<Infrastructure> {
  const port = await reservePort()
  const user = 'test'
  return {
    url: `nats://${user}:${PASSWORD}@127.0.0.1:${port}`,
    launch: (log) =>
      startNats({ directory: join(directory, 'nats'), cache, port, user, password: PASSWORD, log }),
  }
}
