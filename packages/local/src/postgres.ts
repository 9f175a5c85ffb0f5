import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch, type Child, type Launch, type Log } from './child.js'
import { freePort } from './ports.js'
import { findPostgresHome, type PostgresHome } from './postgres-home.js'
import { clearLeftOver, readPostmaster } from './postmaster.js'
import { printed } from './process.js'

/** Options of a Postgres. */
export interface PostgresOptions {
  /** Folder of all its files; created if missing. A Postgres that still runs there is stopped. */
  readonly directory: string
  /** Of the superuser `postgres`. It is set when the data is made, and has to be the same ever after. */
  readonly password: string
  /** TCP port (default: a free one). */
  readonly port?: number
  /** IP address that it listens on (default: 127.0.0.1). */
  readonly host?: string
  readonly network?: Launch['network']
  /** False for tests: faster, and a crash of the machine (not of Postgres) may break the data (default: true). */
  readonly durable?: boolean
  /** Further settings, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>
  readonly log?: Log
}

/** A running Postgres. */
export interface Postgres {
  /** Of the superuser, on the database `postgres`. Secret. */
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly exited: Child['exited']
  /** Stops it in good order (fast shutdown: connections are ended, nothing is lost). */
  stop(): Promise<void>
  /** Kills it, as a crash would. */
  kill(): Promise<void>
}

const START_MS = 120_000
const POLL_MS = 20

/**
 * Starts a Postgres 18, as a child of this process, and makes its data on first use.
 *
 * It recovers from any end of an earlier one. Passwords are checked with SCRAM; there is no Unix socket.
 *
 * @throws where it cannot be started, with what it printed
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const home = await findPostgresHome(options.directory)
  if (!(await stat(home.data).catch(() => undefined))) await initialize(home, options)
  await clearLeftOver(home.data)
  const { host = '127.0.0.1', port = await freePort() } = options
  const child = await startServer(home, port, options)
  const url = `postgresql://postgres:${encodeURIComponent(options.password)}@${host}:${port}/postgres`
  return {
    url,
    port,
    pid: child.pid,
    exited: child.exited,
    stop: () => child.stop(),
    kill: () => child.kill(),
  }
}

/** Messages in English and dates in UTC, whatever the machine is set to; the rest of its environment stays out. */
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }

async function initialize(
  home: PostgresHome,
  { password, durable = true, log }: PostgresOptions,
): Promise<void> {
  // Made beside and renamed when complete, so that an interrupted start leaves nothing that looks like a database.
  const part = `${home.data}.part`
  const passwordFile = `${home.data}.password`
  await rm(part, { recursive: true, force: true })
  await makeOwned(part, home)
  await rm(passwordFile, { force: true })
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' })
  if (home.user) await chown(passwordFile, home.user.uid, home.user.gid)
  try {
    const child = await launch({
      name: 'initdb',
      command: join(home.bin, 'initdb'),
      args: [
        `--pgdata=${part}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...(durable ? [] : ['--no-sync']),
      ],
      env: ENVIRONMENT,
      cwd: part,
      user: home.user,
      log,
    })
    const { code } = await child.exited
    if (code !== 0) throw new Error(`The data of Postgres could not be made.${printed(child)}`)
  } finally {
    await rm(passwordFile, { force: true })
  }
  await rename(part, home.data)
}

async function makeOwned(path: string, { user }: PostgresHome): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (user) await chown(path, user.uid, user.gid)
}

/** Starts the server and waits until it takes connections. */
async function startServer(home: PostgresHome, port: number, options: PostgresOptions): Promise<Child> {
  const deadline = Date.now() + START_MS
  for (;;) {
    const child = await launch({
      name: 'Postgres',
      command: join(home.bin, 'postgres'),
      args: serverArguments(home.data, port, options),
      env: ENVIRONMENT,
      cwd: home.data,
      user: home.user,
      network: options.network,
      log: options.log,
      stopSignal: 'SIGINT',
    })
    if (await isReady(child, home.data, deadline)) return child
    await child.kill()
    // Processes of a killed Postgres hold its shared memory until they have noticed.
    const memoryInUse = child.lastLines().some((line) => line.includes('shared memory block'))
    if (!memoryInUse || Date.now() > deadline) throw new Error(`Postgres did not start.${printed(child)}`)
    await sleep(200)
  }
}

function serverArguments(
  data: string,
  port: number,
  { host = '127.0.0.1', durable = true, settings = {} }: PostgresOptions,
): string[] {
  const all = {
    listen_addresses: host,
    unix_socket_directories: '',
    // Deleting a device locks five relations for each day of stored chunks.
    max_locks_per_transaction: '512',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
  }
  return [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

async function isReady(child: Child, data: string, deadline: number): Promise<boolean> {
  let ended = false
  void child.exited.then(() => {
    ended = true
  })
  const hasEnded = () => ended
  while (!hasEnded() && Date.now() < deadline) {
    const postmaster = await readPostmaster(data)
    if (postmaster?.pid === child.pid && postmaster.ready) return true
    await sleep(POLL_MS)
  }
  return false
}
