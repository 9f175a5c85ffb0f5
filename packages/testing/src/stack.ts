import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileCache } from '@bearing/local/compile-cache'
import { environmentOfOne } from '@bearing/local/one-process'
import { freePort } from '@bearing/local/ports'
import { SERVICE_FLAGS, startProcess } from '@bearing/local/process'
import { SERVICES, readSharedStack, type ServiceName, type StackAddresses } from './addresses.js'
import { copyDatabase, createMigratedDatabase, dropDatabase, type Database } from './databases.js'
import { ownNats, ownPostgres, ownRedis, type NatsInfrastructure } from './infrastructure.js'
import { Part, type Launch } from './part.js'
import { requireNoRefusals } from './refusals.js'
import { all } from './all.js'
import {
  newSecrets,
  serviceEnvironment,
  type Constants,
  type Environment,
  type Surroundings,
} from './service-environment.js'

/** Time limit for the start of a process, in milliseconds: more than any takes on a busy machine. */
const START_MS = 120_000
const ROOT = join(import.meta.dirname, '..', '..', '..')
/** The parts of one process, in the order of their health ports. */
const ONE = ['gateway', ...SERVICES] as const
const INFRASTRUCTURE = ['nats', 'redis', 'postgres']

/** Options of a stack. */
export interface StackOptions {
  /**
   * `copy`: a database of its own, on the Postgres of the shared stack. `own`: a Postgres of its own, which takes two
   * seconds longer, for suites that stop it. With a URL: a new database on that server, which the suite has started.
   */
  readonly postgres?: 'copy' | 'own' | { readonly url: string }
  /** True if gateways and identity count together, in a Redis of the stack's own: its part `redis`. */
  readonly redis?: boolean
  /** Number of gateways (default: 2; 1 in one process). */
  readonly gateways?: number
  /**
   * True if the first gateway and all services are one process, the part `one`: for suites that change settings, and neither stop
   * nor replace anything. It starts in half of the processor time of four processes (default: false).
   */
  readonly oneProcess?: boolean
  /** Services to start (default: all). */
  readonly services?: readonly ServiceName[]
  /** Further environment variables of a service or of the gateways. */
  readonly environment?: Partial<Readonly<Record<ServiceName | 'gateway', Environment>>>
  /** Constants of a service or of the gateways that this test changes: `{ management: { UPLOAD_KEPT_MS: 1_000 } }`. */
  readonly constants?: Partial<Readonly<Record<ServiceName | 'gateway', Constants>>>
  /** Folder that what its NATS stores is kept in, in a folder of its own (default: the temporary folder of the machine). */
  readonly directory?: string
  /** Bytes that its NATS may store, such as `64MB` (default: 20GB); identity is started with the same number. */
  readonly maxFileStore?: string
  /** Folder to which the output of each process is written too, as `<name>.log`. */
  readonly logDirectory?: string
  /**
   * True if gateways and services write their logs to files themselves, so that the process of the test does not read them: for
   * benchmarks (default: false). Of each log only the last MiB can be read then.
   */
  readonly writeLogFiles?: boolean
}

/** Returns the stack that all suites share. A suite that stops or changes a part starts its own: `stackForSuite`. */
export function testStack(): StackAddresses {
  return readSharedStack()
}

/**
 * Starts a whole Bearing: NATS, services and gateways of its own, and a database of its own. Suites call `stackForSuite`.
 *
 * @throws where a part does not start, with what it printed
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const stack = new Stack(options, await mkdtemp(join(options.directory ?? tmpdir(), 'bearing-stack-')))
  try {
    await stack.start()
    return stack
  } catch (error) {
    await stack.end()
    throw error
  }
}

/** A running stack. Made by {@link startStack}. */
export class Stack implements StackAddresses, AsyncDisposable {
  private readonly parts = new Map<string, Part>()
  /** Those too that others have replaced. */
  private readonly everyPart: Part[] = []
  private readonly gatewayPorts: number[] = []
  private readonly healthPorts = new Map<string, number>()
  private surroundings: Surroundings | undefined
  private template = ''
  private dropDatabase: (() => Promise<void>) | undefined

  constructor(
    private readonly options: StackOptions,
    private readonly directory: string,
  ) {}

  get gatewayUrls(): readonly string[] {
    return this.gatewayPorts.map((port) => `http://127.0.0.1:${port}`)
  }

  get natsUrl(): string {
    return this.known.nats.testUrl
  }

  get nkeySeeds(): StackAddresses['nkeySeeds'] {
    return this.known.nats.nkeySeeds
  }

  get databaseUrls(): Readonly<Record<ServiceName, string>> {
    return this.known.database.serviceUrls
  }

  get adminDatabaseUrl(): string {
    return this.known.database.adminUrl
  }

  /** A migrated database without rows, to copy. Only where the stack has its own Postgres. */
  get templateDatabase(): string {
    return this.template
  }

  /**
   * A process of the stack, to stop, kill and start again: `nats`, a service, `gateway-1`, `gateway-2`, a replica, or
   * `postgres` or `redis` where the stack has its own.
   *
   * @throws where the stack has none of that name
   */
  part(name: string): Part {
    const part = this.parts.get(name)
    if (!part) throw new Error(`This stack has no part "${name}", only ${[...this.parts.keys()].join(', ')}.`)
    return part
  }

  /** The keys that identity was started with; not those of `environment` and {@link replace}. */
  get identitySecrets(): { readonly signingKeys: string; readonly peppers: string } {
    const { signingKeys, peppers } = this.known
    return { signingKeys, peppers }
  }

  /** Starts one more process of a service, `<service>-2` and so on, or of the gateway: the last one of {@link gatewayUrls}. */
  async addReplica(service: ServiceName | 'gateway', environment: Environment = {}): Promise<Part> {
    const replicas = [...this.parts.keys()].filter((name) => name.startsWith(service))
    if (service === 'gateway') this.gatewayPorts.push(await freePort())
    const port = service === 'gateway' ? this.gatewayPorts.at(-1) : undefined
    return await this.startService(service, `${service}-${replicas.length + 1}`, port, environment)
  }

  /**
   * Starts a process of a service again with other settings and constants, and stops the old one when the new one is ready, as a rolling
   * deployment does.
   */
  async replace(service: ServiceName, environment: Environment, constants?: Constants): Promise<void> {
    const old = this.part(service)
    await this.startService(service, service, undefined, environment, constants)
    await old.stop()
  }

  /** Host and port at which a process of the stack reports health and metrics. */
  healthAddress(name: string): string {
    return `127.0.0.1:${this.healthPorts.get(name) ?? 0}`
  }

  /** Returns the reply of a process of the stack at `/metrics`. */
  async metrics(name: string): Promise<string> {
    const reply = await fetch(`http://${this.healthAddress(name)}/metrics`)
    return await reply.text()
  }

  /** Returns the reply of a process of the stack at `/readyz`. */
  async readiness(name: string): Promise<{ readonly status: number; readonly body: Record<string, string> }> {
    const reply = await fetch(`http://${this.healthAddress(name)}/readyz`)
    return { status: reply.status, body: (await reply.json()) as Record<string, string> } // Health of packages/service
  }

  /** Everything that every process has printed, to search for what must not be there. */
  output(): string {
    return this.everyPart.map((part) => part.output()).join('\n')
  }

  /** Starts everything. Called once, by {@link startStack}. */
  async start(): Promise<void> {
    const {
      services = SERVICES,
      oneProcess = false,
      gateways = oneProcess ? 1 : 2,
      logDirectory,
    } = this.options
    if (logDirectory !== undefined) mkdirSync(logDirectory, { recursive: true })
    const [database, nats, redisUrl] = await all([this.startDatabase(), this.startNats(), this.startRedis()])
    this.surroundings = { database, nats, redisUrl, ...newSecrets() }
    for (let number = 1; number <= gateways; number++) this.gatewayPorts.push(await freePort())
    const apart = this.gatewayPorts.map((port, index) => [`gateway-${index + 1}`, port] as const)
    await all([
      ...(oneProcess ? [this.startOne()] : services.map((service) => this.startService(service, service))),
      ...apart.slice(oneProcess ? 1 : 0).map(([name, port]) => this.startService('gateway', name, port)),
    ])
  }

  /**
   * Stops everything and removes what it has stored.
   *
   * @throws where NATS has refused a service something
   */
  async stop(): Promise<void> {
    await this.stopParts()
    try {
      requireNoRefusals(this.everyPart)
    } finally {
      await this.remove()
    }
  }

  /** Stops everything and removes what it has stored, whatever has happened in it. */
  async end(): Promise<void> {
    await this.stopParts()
    await this.remove()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  private async stopParts(): Promise<void> {
    const services = this.everyPart.filter(({ name }) => !INFRASTRUCTURE.includes(name))
    await Promise.all(services.map((part) => part.stop()))
    for (const name of INFRASTRUCTURE) await this.parts.get(name)?.stop()
    await this.dropDatabase?.()
  }

  private async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
  }

  private get known(): Surroundings {
    if (!this.surroundings) throw new Error('The stack was not started.')
    return this.surroundings
  }

  private async startDatabase(): Promise<Database> {
    if (this.options.postgres === 'own') {
      const { url, launch } = await ownPostgres(this.directory)
      await this.startPart('postgres', launch)
      const template = await createMigratedDatabase(url)
      this.template = template.name
      return await copyDatabase(url, template.name)
    }
    if (typeof this.options.postgres === 'object')
      return await createMigratedDatabase(this.options.postgres.url)
    const { adminDatabaseUrl, templateDatabase } = readSharedStack()
    const database = await copyDatabase(adminDatabaseUrl, templateDatabase)
    this.dropDatabase = () => dropDatabase(adminDatabaseUrl, database)
    return database
  }

  private async startNats(): Promise<NatsInfrastructure> {
    const { maxFileStore } = this.options
    const nats = await ownNats(this.directory, join(ROOT, '.bearing', 'nats-server'), maxFileStore)
    await this.startPart('nats', nats.launch)
    return nats
  }

  private async startRedis(): Promise<string | undefined> {
    if (this.options.redis !== true) return undefined
    const { url, launch } = await ownRedis(this.directory, join(ROOT, '.bearing', 'redis-server'))
    await this.startPart('redis', launch)
    return url
  }

  private async startOne(): Promise<Part> {
    const [port] = this.gatewayPorts
    const healthPort = await freePort(ONE.length)
    const parts = ONE.map((service, index) => {
      this.healthPorts.set(service === 'gateway' ? 'gateway-1' : service, healthPort + index)
      const constants = this.options.constants?.[service]
      return [service, this.environmentOf(service, healthPort + index, port, {}, constants)] as const
    })
    return await this.startProgram('one', 'one', environmentOfOne(parts), healthPort)
  }

  private async startService(
    service: ServiceName | 'gateway',
    name: string,
    port?: number,
    environment: Environment = {},
    constants = this.options.constants?.[service],
  ): Promise<Part> {
    const healthPort = await freePort(Number(this.options.environment?.[service]?.['GATEWAY_PROCESSES'] ?? 1))
    this.healthPorts.set(name, healthPort)
    const env = this.environmentOf(service, healthPort, port, environment, constants)
    return await this.startProgram(service, name, env, healthPort)
  }

  private environmentOf(
    service: ServiceName | 'gateway',
    healthPort: number,
    port: number | undefined,
    environment: Environment,
    constants: Constants | undefined,
  ): Environment {
    const { maxFileStore } = this.options
    return {
      ...serviceEnvironment(service, healthPort, this.known, constants),
      ...(service === 'identity' && maxFileStore !== undefined && { NATS_MAX_FILE_STORE: maxFileStore }),
      ...(service === 'gateway' && port !== undefined && { PORT: String(port) }),
      ...this.options.environment?.[service],
      ...environment,
    }
  }

  private async startProgram(app: string, name: string, env: Environment, healthPort: number): Promise<Part> {
    const script = join(ROOT, 'apps', app, 'dist', 'main.js')
    const ready = { url: `http://127.0.0.1:${healthPort}/readyz`, deadlineMs: START_MS }
    const node = { nodeFlags: SERVICE_FLAGS, compileCache: compileCache(ROOT) }
    const program = { name, script, env, ready, ...node }
    const { writeLogFiles: writes = false } = this.options
    const outputFile = writes ? this.logFile(name) : undefined
    return await this.startPart(name, (log) => startProcess({ ...program, log, outputFile }), writes)
  }

  private logFile(name: string): string {
    return join(this.options.logDirectory ?? this.directory, `${name}.log`)
  }

  private async startPart(name: string, launch: Launch, writesLogFile = false): Promise<Part> {
    const isLogged = writesLogFile || this.options.logDirectory !== undefined
    const part = new Part(name, launch, isLogged ? this.logFile(name) : undefined, writesLogFile)
    this.parts.set(name, part)
    this.everyPart.push(part)
    await part.start()
    return part
  }
}
