import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NatsUserName } from '@bearing/contracts/nats/nats-users'
import { compileCache } from '@bearing/local/compile-cache'
import { passwordUser, startNats } from '@bearing/local/nats-server'
import { SERVICE_FLAGS, startProcess } from '@bearing/local/process'
import { newNkey } from '@bearing/nats/nkey'
import { usersConfiguration } from '@bearing/nats/permissions'
import { SERVICES, type ServiceName, type StackAddresses } from '../addresses.js'
import { byUser } from '../infrastructure.js'
import { Part } from '../part.js'
import {
  newSecrets,
  serviceEnvironment,
  type Environment,
  type Surroundings,
} from '../service-environment.js'
import { isConnectedTo } from './connected-to.js'
import { Hosts } from './hosts.js'
import { POSTGRES_HOSTS, ReplicatedPostgres } from './replicated-postgres.js'
import { SmallDisk } from './small-disk.js'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const PASSWORD = 'of-a-test'
const START_MS = 120_000
/** Hosts of the NATS servers. */
export const NATS_HOSTS = ['n1', 'n2', 'n3'] as const
type NatsHost = (typeof NATS_HOSTS)[number]
const [HTTP_PORT, NATS_PORT] = [8080, 4222]
/** Ports of `/readyz`, since several processes share a host. */
const HEALTH_PORTS = { gateway: 9090, identity: 9091, management: 9092, location: 9093 } as const
/** Processes of Bearing that run on hosts. */
export type Process = keyof typeof HEALTH_PORTS

/** The host of a process, and the NATS server that it knows at its start; it learns the others from that one. */
export interface Placement {
  readonly process: Process
  readonly host: string
  readonly nats: NatsHost
  /** Folder of the repository that it is of (default: this one). */
  readonly root?: string
  /** Further environment variables. */
  readonly environment?: Environment
}

/** Options of a {@link HostStack}. */
export interface HostStackOptions {
  /** Further hosts, for processes that are started later. */
  readonly spare?: readonly string[]
  /** Hosts of NATS whose data is on a small disk, with its size in MiB. */
  readonly disks?: Partial<Readonly<Record<NatsHost, number>>>
}

/**
 * A Bearing on hosts: a NATS cluster of three servers (`n1` to `n3`), a Postgres (`p1`) with a replica (`p2`), each on a host of its
 * own, and processes where they are placed.
 */
export class HostStack implements StackAddresses, AsyncDisposable {
  private readonly parts = new Map<string, Part>()
  /** Parts that were removed, whose logs may say why a fault failed. */
  private readonly removed: Part[] = []
  private readonly running = new Map<string, Placement>()
  private readonly diskOf = new Map<string, SmallDisk>()
  private postgresServers: ReplicatedPostgres | undefined
  private surroundings: Surroundings | undefined
  private readonly nkeys = byUser(() => newNkey())
  readonly nkeySeeds: Readonly<Record<NatsUserName, string>> = byUser((name) => this.nkeys[name].seed)

  private constructor(
    readonly hosts: Hosts,
    private readonly directory: string,
  ) {}

  /** @throws where a part does not start, with what it printed */
  static async start(
    placements: readonly Placement[],
    { spare = [], disks = {} }: HostStackOptions = {},
  ): Promise<HostStack> {
    const names = new Set([...NATS_HOSTS, ...POSTGRES_HOSTS, ...placements.map(({ host }) => host), ...spare])
    const hosts = await Hosts.open([...names])
    const directory = await mkdtemp(join(tmpdir(), `bearing-hosts-${String(process.pid)}-`))
    const stack = new HostStack(hosts, directory)
    try {
      for (const [host, mebibytes] of Object.entries(disks))
        stack.diskOf.set(host, await SmallDisk.mount(join(directory, host), mebibytes))
      const postgres = ReplicatedPostgres.start(hosts, directory)
      const started = await Promise.allSettled([postgres, ...NATS_HOSTS.map((name) => stack.startNats(name))])
      stack.postgresServers = await postgres
      for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason
      stack.surroundings = {
        nats: { url: stack.natsUrl, testUrl: stack.natsUrl, nkeySeeds: stack.nkeySeeds },
        database: stack.postgres.description,
        redisUrl: undefined,
        ...newSecrets(),
      }
      await Promise.all(placements.map((placement) => stack.add(placement)))
      return stack
    } catch (error) {
      await stack.stop()
      throw error
    }
  }

  /** The gateways that run. */
  get gatewayUrls(): readonly string[] {
    return [...this.running.values()]
      .filter(({ process }) => process === 'gateway')
      .map(({ host }) => `http://${this.hosts.addressOf(host)}:${String(HTTP_PORT)}`)
      .sort()
  }

  /** The processes that run. */
  get placements(): readonly Placement[] {
    return [...this.running.values()]
  }

  get natsUrl(): string {
    return NATS_HOSTS.map(
      (name) => `nats://test:${PASSWORD}@${this.hosts.addressOf(name)}:${String(NATS_PORT)}`,
    ).join(',')
  }

  get postgres(): ReplicatedPostgres {
    if (!this.postgresServers) throw new Error('Postgres was not started.')
    return this.postgresServers
  }

  get databaseUrls(): Readonly<Record<ServiceName, string>> {
    return this.postgres.serviceUrls
  }

  get adminDatabaseUrl(): string {
    return this.postgres.adminUrl
  }

  /** A process, by its name and host, such as `gateway-g1`, or a NATS or Postgres server by its host. */
  part(name: string): Part {
    const part =
      this.parts.get(name) ?? Object.entries(this.postgres.parts).find(([host]) => host === name)?.[1]
    if (!part) throw new Error(`There is no part "${name}", only ${[...this.parts.keys()].join(', ')}.`)
    return part
  }

  /** The small disk of a host. */
  disk(host: NatsHost): SmallDisk {
    const disk = this.diskOf.get(host)
    if (!disk) throw new Error(`The host "${host}" has no small disk.`)
    return disk
  }

  /** Writes what each process and server has printed to a folder. */
  async writeLogs(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true })
    for (const [name, part] of [...this.parts, ...Object.entries(this.postgres.parts)])
      await writeFile(join(folder, `${name}.log`), part.output())
    for (const [index, part] of this.removed.entries())
      await writeFile(join(folder, `removed-${String(index + 1)}-${part.name}.log`), part.output())
  }

  /** Returns the reply of a process at `/metrics` or `/readyz`. */
  async ask(process: Process, host: string, path: string): Promise<Response> {
    const url = `http://${this.hosts.addressOf(host)}:${String(HEALTH_PORTS[process])}${path}`
    return await fetch(url, { signal: AbortSignal.timeout(2_000) })
  }

  /** Returns the host of the NATS server that a process is connected to. */
  async natsServerOf(name: string): Promise<NatsHost> {
    for (const host of NATS_HOSTS)
      if (await isConnectedTo(this.part(name).pid, this.hosts.addressOf(host), NATS_PORT)) return host
    throw new Error(`${name} is connected to no NATS server.`)
  }

  /** Starts one more process, and waits until it is ready. */
  async add(placement: Placement): Promise<void> {
    const { process, host, nats, root = ROOT, environment } = placement
    const address = this.hosts.addressOf(host)
    const healthPort = HEALTH_PORTS[process]
    if (!this.surroundings) throw new Error('The stack was not started.')
    const constants = process === 'gateway' ? { REQUESTS_PER_CREDENTIAL: 0 } : {}
    const env: Environment = {
      ...serviceEnvironment(process, healthPort, this.surroundings, constants),
      NATS_URL: `nats://${this.hosts.addressOf(nats)}:${String(NATS_PORT)}`,
      // A former version has other constants.
      ...(root !== ROOT && { TEST_CONSTANTS: '{}' }),
      HOST: address,
      LOG_LEVEL: 'info',
      ...(process === 'identity' && { STREAM_REPLICAS: '3' }),
      ...(process === 'gateway' && {
        PORT: String(HTTP_PORT),
        DASHBOARD: 'no',
        // The test process stands for a proxy that ends TLS.
        TRUSTED_PROXIES: this.hosts.ownAddress,
        CLIENT_CERTIFICATES: 'rfc9440',
        SHUTDOWN_DELAY_MS: '2000',
      }),
      ...environment,
    }
    const name = `${process}-${host}`
    await this.startPart(name, (log) =>
      startProcess({
        name,
        script: join(root, 'apps', process, 'dist', 'main.js'),
        env,
        ready: { url: `http://${address}:${String(healthPort)}/readyz`, deadlineMs: START_MS },
        network: this.hosts.networkOf(host),
        nodeFlags: SERVICE_FLAGS,
        compileCache: compileCache(root),
        log,
      }),
    )
    this.running.set(name, placement)
  }

  /** Stops a process in good order, for ever: its host is free again. */
  async remove({ process, host }: Pick<Placement, 'process' | 'host'>): Promise<void> {
    const name = `${process}-${host}`
    const part = this.part(name)
    await part.stop()
    this.removed.push(part)
    this.parts.delete(name)
    this.running.delete(name)
  }

  async stop(): Promise<void> {
    const isNats = (name: string) => (NATS_HOSTS as readonly string[]).includes(name)
    const names = [...this.parts.keys()]
    for (const some of [names.filter((name) => !isNats(name)), names.filter(isNats)])
      await Promise.all(some.map((name) => this.part(name).kill()))
    await this.postgresServers?.stop()
    for (const disk of this.diskOf.values()) await disk.unmount()
    await this.hosts.close()
    await rm(this.directory, { recursive: true, force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  private async startNats(name: NatsHost): Promise<void> {
    const users = [
      passwordUser('test', PASSWORD),
      ...usersConfiguration(byUser((user) => this.nkeys[user].publicKey)),
    ]
    await this.startPart(name, (log) =>
      startNats({
        directory: join(this.directory, name),
        cache: join(ROOT, '.bearing', 'nats-server'),
        network: this.hosts.networkOf(name),
        host: this.hosts.addressOf(name),
        port: NATS_PORT,
        users,
        cluster: { serverName: name, hosts: NATS_HOSTS.map((other) => this.hosts.addressOf(other)) },
        log,
      }),
    )
  }

  private async startPart(name: string, launch: ConstructorParameters<typeof Part>[1]): Promise<void> {
    const part = new Part(name, launch)
    this.parts.set(name, part)
    await part.start()
  }
}

/** Two of each process: `s1` and `s2` for services, `g1` and `g2` for gateways. The first of each knows the NATS server `n1`. */
export const TWO_OF_EACH: readonly Placement[] = [
  ...(['n1', 'n2'] as const).flatMap((nats, index) =>
    SERVICES.map((service): Placement => ({ process: service, host: `s${String(index + 1)}`, nats })),
  ),
  { process: 'gateway', host: 'g1', nats: 'n1' },
  { process: 'gateway', host: 'g2', nats: 'n2' },
]
