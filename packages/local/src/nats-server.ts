import { mkdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { launch, type Child, type Launch, type Log } from './child.js'
import { findNatsServer } from './nats-binary.js'
import { freePort } from './ports.js'
import { untilReady } from './until-ready.js'

/** Options of a NATS server. */
export interface NatsOptions {
  /** Folder of its configuration and JetStream's data; created if missing. */
  readonly directory: string
  /** Folder that `nats-server` is unpacked to if it is not on PATH (default: `<directory>/nats-server`). */
  readonly cache?: string
  /** TCP port (default: a free one). */
  readonly port?: number
  /** IP address that it listens on (default: 127.0.0.1). */
  readonly host?: string
  readonly network?: Launch['network']
  /** The cluster that the server belongs to (default: none). */
  readonly cluster?: NatsCluster
  /** Users that may connect, each as the server's configuration has it, such as {@link passwordUser}. Secret. */
  readonly users: readonly string[]
  /** Bytes that JetStream may store in files, as the server's configuration has it (default: 20GB). */
  readonly maxFileStore?: string
  readonly log?: Log
}

/** Servers that know each other. They listen for each other on port 6222 of their `host`. */
export interface NatsCluster {
  /** Name of this server, different from the others'. */
  readonly serverName: string
  /** IP addresses of all servers. */
  readonly hosts: readonly string[]
}

/** A running NATS server. */
export interface Nats {
  /** Without user and password. */
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly exited: Child['exited']
  /** Stops it in good order. A server of a cluster asks its clients to leave before, as the chart of NATS has it: that takes 10 s. */
  stop(): Promise<void>
  /** Kills it, as a crash would. */
  kill(): Promise<void>
}

/**
 * Starts a NATS server with JetStream, as a child of this process. JetStream's data survives restarts. A server of a cluster is
 * ready before the cluster has a leader.
 *
 * @throws where there is no `nats-server` to be had, or it does not start, with what it printed
 */
export async function startNats(options: NatsOptions): Promise<Nats> {
  const { users, log, network, cluster, host = '127.0.0.1', maxFileStore = '20GB' } = options
  const directory = resolve(options.directory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const command = await findNatsServer(resolve(options.cache ?? join(directory, 'nats-server')), log)
  const port = options.port ?? (await freePort())
  const configuration = join(directory, 'nats.conf')
  // A file, because process arguments can be read by every user of the machine. Created again, so that the mode holds.
  await rm(configuration, { force: true })
  await writeFile(configuration, natsConfiguration({ directory, host, port, users, maxFileStore, cluster }), {
    mode: 0o600,
  })
  const child = await launch({
    name: 'NATS',
    command,
    args: ['-c', configuration],
    env: {},
    cwd: directory,
    network,
    ...(cluster && { stopSignal: 'SIGUSR2', graceMs: 60_000 }),
    log,
  })
  // It greets once JetStream has been read back.
  await untilReady(child, 'NATS', () => greets(host, port))
  return {
    url: `nats://${host}:${port}`,
    port,
    pid: child.pid,
    exited: child.exited,
    stop: () => child.stop(),
    kill: () => child.kill(),
  }
}

/** A user with a password who may do everything, for the server's configuration. */
export function passwordUser(user: string, password: string): string {
  return `{ user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }`
}

function natsConfiguration(settings: {
  directory: string
  host: string
  port: number
  users: readonly string[]
  maxFileStore: string
  cluster: NatsCluster | undefined
}): string {
  const { directory, host, port, users, maxFileStore, cluster } = settings
  return [
    `listen: "${host}:${port}"`,
    `server_name: "${cluster?.serverName ?? 'local'}"`,
    ...(cluster ? [clusterConfiguration(host, cluster), ...LAME_DUCK] : []),
    // As deploy/nats.conf has it.
    'ping_interval: "1s"',
    'ping_max: 3',
    'write_deadline: "2s"',
    // Without a list of users, everybody would be let in. A busy machine takes its time to prove who it is.
    `authorization { timeout: 20, users: [${users.join('\n')}] }`,
    // Lists of 10,000 items have to fit into one message.
    'max_payload: 8MB',
    // Without a limit NATS takes three quarters of the free disk, which may be less than the streams reserve.
    `jetstream { store_dir: ${JSON.stringify(join(directory, 'jetstream'))}, max_file_store: ${maxFileStore} }`,
    '',
  ].join('\n')
}

/** Shutdown after `--signal ldm`, as in the chart of NATS. */
const LAME_DUCK = ['lame_duck_grace_period: "10s"', 'lame_duck_duration: "30s"']

function clusterConfiguration(host: string, { hosts }: NatsCluster): string {
  const routes = hosts.map((other) => `"nats://${other}:6222"`).join(', ')
  return `cluster { name: "local", listen: "${host}:6222", routes: [${routes}], ping_interval: "1s", ping_max: 2 }`
}

function greets(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 })
    const end = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('data', (data) => {
      end(data.toString().startsWith('INFO '))()
    })
    socket.once('error', end(false)).once('timeout', end(false)).once('close', end(false))
  })
}
