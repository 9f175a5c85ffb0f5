import { mkdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { launch, type Child, type Log } from './child.js'
import { findRedisServer } from './redis-binary.js'
import { untilReady } from './until-ready.js'

/** Options of a Redis server. */
export interface RedisOptions {
  /** Folder of its configuration; created if missing. It stores nothing. */
  readonly directory: string
  /** Folder that it is unpacked to if there is none on PATH. */
  readonly cache: string
  /** TCP port on 127.0.0.1. */
  readonly port: number
  /** Secret. */
  readonly password: string
  readonly log?: Log
}

/**
 * Starts a Redis or Valkey server on 127.0.0.1, as a child of this process, that stores nothing on disk.
 *
 * @throws where there is none to be had, or it does not start, with what it printed
 */
export async function startRedis({ cache, port, password, log, ...options }: RedisOptions): Promise<Child> {
  const directory = resolve(options.directory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { command, env } = await findRedisServer(resolve(cache), log)
  const configuration = join(directory, 'redis.conf')
  const lines = ['bind 127.0.0.1', `port ${port}`, 'save ""', 'appendonly no', `requirepass ${password}`]
  // A file, because process arguments can be read by every user of the machine. Created again, so that the mode holds.
  await rm(configuration, { force: true })
  await writeFile(configuration, `${lines.join('\n')}\n`, { mode: 0o600 })
  const child = await launch({ name: 'Redis', command, args: [configuration], env, cwd: directory, log })
  await untilReady(child, 'Redis', () => isOpen(port))
  return child
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => {
      resolve(false)
    })
  })
}
