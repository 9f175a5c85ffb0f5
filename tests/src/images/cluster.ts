import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNats, type Nats } from '@bearing/local/nats-server'
import { newNkey } from '@bearing/nats/nkey'
import { usersConfiguration } from '@bearing/nats/permissions'
import { readSharedStack } from '@bearing/testing/addresses'
import { createEmptyDatabase, dropDatabase, type Database } from '@bearing/testing/databases'
import { Hosts } from '@bearing/testing/hosts/hosts'
import { byUser } from '@bearing/testing/infrastructure'
import { PostgresProxy } from '@bearing/testing/postgres-proxy'
import { newSecrets } from '@bearing/testing/service-environment'
import type { Secrets } from './pods.js'
import { ROOT } from '../tools/root.js'

const NATS_PORT = 4222

/** Hosts for pods, with what pods need around them: NATS, and Postgres without tables. */
export class Cluster implements AsyncDisposable {
  private constructor(
    readonly hosts: Hosts,
    private readonly nats: Nats,
    private readonly directory: string,
    private readonly database: Database,
    private readonly proxies: readonly PostgresProxy[],
    /** The Secrets that the chart reads, by name. */
    readonly secrets: Secrets,
  ) {}

  static async start(names: readonly string[]): Promise<Cluster> {
    const hosts = await Hosts.open(names)
    const directory = await mkdtemp(join(tmpdir(), 'bearing-cluster-'))
    const nkeys = byUser(() => newNkey())
    const nats = await startNats({
      directory,
      cache: join(ROOT, '.bearing', 'nats-server'),
      host: hosts.ownAddress,
      port: NATS_PORT,
      users: usersConfiguration(byUser((name) => nkeys[name].publicKey)),
    })
    const database = await createEmptyDatabase(readSharedStack().adminDatabaseUrl)
    const proxyTo = (url: string) => PostgresProxy.start(url, hosts.ownAddress)
    const owner = await proxyTo(database.adminUrl)
    const [identity, management, location] = [
      await proxyTo(database.serviceUrls.identity),
      await proxyTo(database.serviceUrls.management),
      await proxyTo(database.serviceUrls.location),
    ]
    const { signingKeys, peppers, secretKeys } = newSecrets()
    const secrets = {
      'bearing-migration': { DATABASE_URL: owner.url },
      'bearing-gateway': { NATS_NKEY_SEED: nkeys.gateway.seed },
      'bearing-identity': {
        NATS_NKEY_SEED: nkeys.identity.seed,
        IDENTITY_DATABASE_URL: identity.url,
        IDENTITY_SIGNING_KEYS: signingKeys,
        IDENTITY_PEPPERS: peppers,
      },
      'bearing-management': {
        NATS_NKEY_SEED: nkeys.management.seed,
        MANAGEMENT_DATABASE_URL: management.url,
        MANAGEMENT_SECRET_KEYS: secretKeys,
      },
      'bearing-location': {
        NATS_NKEY_SEED: nkeys.location.seed,
        LOCATION_DATABASE_URL: location.url,
        LOCATION_SECRET_KEYS: secretKeys,
      },
      'bearing-operator': { BEARING_NATS_NKEY_SEED: nkeys.operator.seed },
    }
    return new Cluster(hosts, nats, directory, database, [owner, identity, management, location], secrets)
  }

  /** Of NATS, as pods reach it. */
  get natsUrl(): string {
    return this.nats.url
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.nats.kill()
    await Promise.all(this.proxies.map((proxy) => proxy.stop()))
    await this.hosts.close()
    await dropDatabase(readSharedStack().adminDatabaseUrl, this.database)
    await rm(this.directory, { recursive: true })
  }
}
