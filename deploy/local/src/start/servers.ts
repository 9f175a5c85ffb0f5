import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { NATS_USER_NAMES, type NatsUserName } from '@bearing/contracts/nats/nats-users'
import { compileCache } from '@bearing/local/compile-cache'
import { freePort } from '@bearing/local/ports'
import { environmentOfOne } from '@bearing/local/one-process'
import { startNats } from '@bearing/local/nats-server'
import { startPostgres } from '@bearing/local/postgres'
import { SERVICE_FLAGS, startProcess } from '@bearing/local/process'
import { nkeyOf } from '@bearing/nats/nkey'
import { usersConfiguration } from '@bearing/nats/permissions'
import { migrate } from '@bearing/prisma/migrate'
import { SERVICES, type Service } from '@bearing/prisma/services'
import type { MailLines } from './mail-lines.js'
import type { Secrets } from './secrets.js'
import { SERVICE_NAMES, type ServiceName, type SettingsOfEnvironment } from '../settings-of-environment.js'
import { openLog, type StateDirectory } from './state-directory.js'
import type { Supervisor } from './supervisor.js'
import { timed } from './timed.js'

/** Parts and options of a local Bearing. */
export interface ServersOptions {
  readonly checkout: string
  readonly state: StateDirectory
  readonly secrets: Secrets
  readonly supervisor: Supervisor
  /** Of the gateway, on 127.0.0.1. */
  readonly port: number
  /** Administrator URL of a running Postgres (default: starts one). */
  readonly databaseUrl: string | undefined
  /** URL of a running NATS (default: starts one). */
  readonly natsUrl: string | undefined
  /** By service: settings that replace those set here. */
  readonly settings: SettingsOfEnvironment['values']
  readonly say: (line: string) => void
  readonly mails: MailLines
  /** True if gateway and services are one process (default: a process each). */
  readonly oneProcess?: boolean
}

/** Access to NATS, for each of its users. */
export interface Messaging {
  /** With user and password where it is somebody else's. */
  readonly url: string
  /** None where it is somebody else's, which does not know them. */
  readonly nkeySeeds: Partial<Readonly<Record<NatsUserName, string>>>
}

/** Access to the parts of a running Bearing. */
export interface Servers {
  readonly messaging: Messaging
  /** Of the role of each service. */
  readonly databaseUrls: Urls
}

/** Starts Postgres, NATS and the services, and waits until all are ready. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { say } = options
  const [adminUrl, messaging] = await Promise.all([
    timed(say, 'Postgres', () => startDatabase(options)),
    timed(say, 'NATS', () => startMessaging(options)),
  ])
  const urls = databaseUrls(adminUrl, options.secrets)
  await timed(say, 'tables', (note) => applyMigrations(adminUrl, urls, { say, note }))
  await timed(say, 'services', () => startServices(options, messaging, urls))
  return { messaging, databaseUrls: urls }
}

async function startDatabase({ databaseUrl, state, secrets, supervisor }: ServersOptions): Promise<string> {
  if (databaseUrl) return databaseUrl
  const port = await freePort()
  const log = openLog(state, 'postgres')
  let url = ''
  await supervisor.run('Postgres', async () => {
    const postgres = await startPostgres({ directory: state.postgres, password: secrets.postgres, port, log })
    ;({ url } = postgres)
    return postgres
  })
  return url
}

async function startMessaging(options: ServersOptions): Promise<Messaging> {
  const { natsUrl, checkout, state, secrets, supervisor, say, settings } = options
  if (natsUrl) return { url: natsUrl, nkeySeeds: {} }
  const port = await freePort()
  const write = openLog(state, 'nats')
  const log = (line: string) => {
    if (line.startsWith('unpacking')) say(`  … ${line}`)
    write(line)
  }
  const publicKeys = NATS_USER_NAMES.map((name) => [name, nkeyOf(secrets.nkeys[name]).publicKey])
  const users = usersConfiguration(Object.fromEntries(publicKeys) as Record<NatsUserName, string>)
  const { NATS_MAX_FILE_STORE } = settings.identity
  const maxFileStore = NATS_MAX_FILE_STORE ? { maxFileStore: NATS_MAX_FILE_STORE } : {}
  const nats = {
    directory: state.nats,
    cache: join(checkout, '.bearing', 'nats-server'),
    port,
    users,
    log,
    ...maxFileStore,
  }
  let url = ''
  await supervisor.run('NATS', async () => {
    const started = await startNats(nats)
    ;({ url } = started)
    return started
  })
  return { url, nkeySeeds: secrets.nkeys }
}

type Urls = Readonly<Record<Service, string>>

function databaseUrls(adminUrl: string, { databases }: Secrets): Urls {
  const urls = SERVICES.map((service) => {
    const url = new URL(adminUrl)
    url.username = `bearing_${service}`
    url.password = databases[service]
    return [service, url.href]
  })
  return Object.fromEntries(urls) as Urls // one for every service, just above
}

async function applyMigrations(
  adminUrl: string,
  urls: Urls,
  { say, note }: Pick<ServersOptions, 'say'> & { readonly note: (text: string) => void },
): Promise<void> {
  const services = Object.fromEntries(SERVICES.map((service) => [service, { url: urls[service] }]))
  let applied = 0
  const log = (line: string) => {
    if (line.includes(': applied ')) applied++
    else if (!line.endsWith('up to date')) say(`  … ${line}`)
  }
  try {
    await migrate({ adminUrl, services, log })
    if (applied > 0) note(`${applied} migrations applied`)
  } catch (error) {
    // 28P01: the password is not the one the data was made with.
    if ((error as { code?: unknown }).code !== '28P01') throw error
    throw new Error(
      'Postgres refuses the password. If .bearing/secrets.json was lost or replaced, delete .bearing to start afresh.',
      { cause: error },
    )
  }
}

async function startServices(options: ServersOptions, messaging: Messaging, urls: Urls): Promise<void> {
  const { secrets, port, settings } = options
  const own: Readonly<Record<ServiceName, Readonly<Record<string, string>>>> = {
    identity: {
      IDENTITY_DATABASE_URL: urls.identity,
      IDENTITY_SIGNING_KEYS: secrets.signing_keys,
      IDENTITY_PEPPERS: secrets.peppers,
      PUBLIC_URL: `http://localhost:${port}`,
      SMTP_URL: 'log:',
    },
    management: {
      MANAGEMENT_DATABASE_URL: urls.management,
      MANAGEMENT_SECRET_KEYS: secrets.secret_keys,
    },
    location: {
      LOCATION_DATABASE_URL: urls.location,
      LOCATION_SECRET_KEYS: secrets.location_secret_keys,
    },
    gateway: {
      ...{ PORT: String(port), PUBLIC_URL: `http://localhost:${port}` },
      MAP_URL: pathToFileURL(join(options.state.path, 'map.pmtiles')).href,
    },
  }
  const environments = SERVICE_NAMES.map((name) => {
    const nats = { NATS_URL: messaging.url, NATS_NKEY_SEED: messaging.nkeySeeds[name] ?? '' }
    return [name, { ...nats, ...own[name], ...settings[name] }] as const
  })
  if (options.oneProcess === true) await startService('one', environmentOfOne(environments), options)
  else await Promise.all(environments.map(([name, values]) => startService(name, values, options)))
}

async function startService(name: string, own: Readonly<Record<string, string>>, options: ServersOptions) {
  const { checkout, state, supervisor, mails } = options
  const script = join(checkout, 'apps', name, 'dist', 'main.js')
  // One for each service that the process may have.
  const healthPort = await freePort(SERVICE_NAMES.length)
  const ready = { url: `http://127.0.0.1:${healthPort}/readyz` }
  const env = { ...own, HOST: '127.0.0.1', HEALTH_PORT: String(healthPort) }
  const write = openLog(state, name)
  // Mails have links with secrets: they are shown to who started this, and go to no file.
  const log = (line: string) => {
    if (!mails.take(line)) write(line)
  }
  const node = { nodeFlags: SERVICE_FLAGS, compileCache: compileCache(checkout) }
  const program = { name, script, env, ready, ...node }
  await supervisor.run(name, () => startProcess({ ...program, log }))
}
