import { join } from 'node:path'
import { freePort } from '@bearing/local/ports'
import { passwordUser, startNats } from '@bearing/local/nats-server'
import { startPostgres } from '@bearing/local/postgres'
import { startRedis } from '@bearing/local/redis-server'
import { NATS_USER_NAMES, type NatsUserName } from '@bearing/contracts/nats/nats-users'
import { newNkey } from '@bearing/nats/nkey'
import { usersConfiguration } from '@bearing/nats/permissions'
import type { Launch } from './part.js'

/** Of Postgres, NATS and Redis. They listen on 127.0.0.1, for as long as the tests run. */
const PASSWORD = 'of-a-test'

/** A process that is started again at the same address. */
export interface Infrastructure {
  readonly url: string
  readonly launch: Launch
}

/** Starts a separate Postgres with its data in `directory`. */
export async function ownPostgres(directory: string): Promise<Infrastructure> {
  const port = await freePort()
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
 * Starts a separate Redis, which stores nothing on disk.
 *
 * @param cache where `redis-server` is unpacked to, when there is none on PATH
 */
export async function ownRedis(directory: string, cache: string): Promise<Infrastructure> {
  const port = await freePort()
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    launch: (log) =>
      startRedis({ directory: join(directory, 'redis'), cache, port, password: PASSWORD, log }),
  }
}

/** A NATS, and who may connect to it. */
export interface NatsInfrastructure extends Infrastructure {
  /** With user and password of somebody who may do everything, as tests do. */
  readonly testUrl: string
  /** The nkeys of those who may do what they need, by name. */
  readonly nkeySeeds: Readonly<Record<NatsUserName, string>>
}

/**
 * Starts a separate NATS, with the users and permissions of production; what JetStream stores is kept in `directory`.
 *
 * @param cache where `nats-server` is unpacked to, when it is not on PATH
 * @param maxFileStore bytes that JetStream may store, such as `64MB` (default: 20GB)
 */
export async function ownNats(
  directory: string,
  cache: string,
  maxFileStore?: string,
): Promise<NatsInfrastructure> {
  const port = await freePort()
  const nkeys = byUser(() => newNkey())
  const users = [
    passwordUser('test', PASSWORD),
    ...usersConfiguration(byUser((name) => nkeys[name].publicKey)),
  ]
  return {
    url: `nats://127.0.0.1:${port}`,
    testUrl: `nats://test:${PASSWORD}@127.0.0.1:${port}`,
    nkeySeeds: byUser((name) => nkeys[name].seed),
    launch: (log) =>
      startNats({
        directory: join(directory, 'nats'),
        cache,
        port,
        users,
        log,
        ...(maxFileStore !== undefined && { maxFileStore }),
      }),
  }
}

export function byUser<Value>(valueOf: (name: NatsUserName) => Value): Record<NatsUserName, Value> {
  const entries = NATS_USER_NAMES.map((name) => [name, valueOf(name)])
  return Object.fromEntries(entries) as Record<NatsUserName, Value> // one for each, just above
}
