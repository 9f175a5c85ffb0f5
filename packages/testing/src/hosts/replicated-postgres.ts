import { execFile } from 'node:child_process'
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  readdir,
  realpath,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgres } from '@bearing/local/postgres'
import pg from 'pg'
import { SERVICES, type ServiceName } from '../addresses.js'
import { createMigratedDatabase, type Database } from '../databases.js'
import { Part, type Launch } from '../part.js'
import { Door } from './door.js'
import type { Hosts } from './hosts.js'

const PASSWORD = 'of-a-test'
const PORT = 5432
/** Several processes that hold a pool each. */
const CONNECTIONS = '200'
const [PRIMARY, REPLICA] = ['p1', 'p2'] as const
/** Hosts of the two servers. */
export const POSTGRES_HOSTS = [PRIMARY, REPLICA] as const

/**
 * A Postgres on the host `p1`, which commits what its streaming replica on `p2` has too (synchronous any 1). Services reach whichever
 * is in charge at one address.
 */
export class ReplicatedPostgres {
  private inCharge: (typeof POSTGRES_HOSTS)[number] = PRIMARY

  private constructor(
    private readonly hosts: Hosts,
    private readonly database: Database,
    private readonly door: Door,
    /** The servers, by host. */
    readonly parts: Readonly<Record<(typeof POSTGRES_HOSTS)[number], Part>>,
  ) {}

  /** @param directory where both keep their data */
  static async start(hosts: Hosts, directory: string): Promise<ReplicatedPostgres> {
    const access = join(directory, 'access.conf')
    await writeFile(
      access,
      'host all all 0.0.0.0/0 scram-sha-256\nhost replication all 0.0.0.0/0 scram-sha-256\n',
    )
    await chmod(access, 0o644)
    const server = (host: string, settings: Readonly<Record<string, string>>): Launch => {
      return (log) =>
        startPostgres({
          directory: join(directory, host),
          password: PASSWORD,
          host: hosts.addressOf(host),
          network: hosts.networkOf(host),
          port: PORT,
          durable: false,
          settings: { hba_file: access, max_connections: CONNECTIONS, ...settings },
          log,
        })
    }
    const alone = await server(PRIMARY, {})(() => undefined)
    let database: Database
    try {
      database = await createMigratedDatabase(urlOf(hosts, PRIMARY, 'postgres', 'postgres'))
    } finally {
      await alone.stop()
    }
    await copyData(hosts, directory)
    const parts = {
      p1: new Part(PRIMARY, server(PRIMARY, { synchronous_standby_names: 'ANY 1 (*)' })),
      p2: new Part(REPLICA, server(REPLICA, {})),
    }
    await Promise.all(Object.values(parts).map((part) => part.start()))
    const door = await Door.open(hosts.ownAddress, { host: hosts.addressOf(PRIMARY), port: PORT })
    return new ReplicatedPostgres(hosts, database, door, parts)
  }

  /** URLs of the services' roles, at the address that stays the same. */
  get serviceUrls(): Readonly<Record<ServiceName, string>> {
    return Object.fromEntries(
      SERVICES.map((service) => {
        const url = new URL(this.database.serviceUrls[service])
        url.host = `${this.hosts.ownAddress}:${String(this.door.port)}`
        return [service, url.href]
      }),
    ) as Record<ServiceName, string> // one for each, just above
  }

  /** Of the superuser, at the server that is in charge. */
  get adminUrl(): string {
    return urlOf(this.hosts, this.inCharge, 'postgres', this.database.name)
  }

  /** The database, at the address that stays the same. */
  get description(): Database {
    return { ...this.database, adminUrl: this.adminUrl, serviceUrls: this.serviceUrls }
  }

  /**
   * Puts the replica in charge, as an operator does who cannot reach the primary: it commits alone from then on, and new
   * connections go there.
   */
  async promote(): Promise<void> {
    const client = new pg.Client(urlOf(this.hosts, REPLICA, 'postgres', 'postgres'))
    await client.connect()
    try {
      await client.query('SELECT pg_promote()')
    } finally {
      await client.end()
    }
    this.inCharge = REPLICA
    this.door.moveTo({ host: this.hosts.addressOf(REPLICA), port: PORT })
  }

  async stop(): Promise<void> {
    await this.door.close()
    await Promise.all(Object.values(this.parts).map((part) => part.kill()))
  }
}

/** There is no `pg_basebackup` among the programs of the npm package: the primary stands still. */
async function copyData(hosts: Hosts, directory: string): Promise<void> {
  const [from, to] = [await realpath(join(directory, PRIMARY)), join(directory, REPLICA)]
  const { uid, gid } = await stat(join(from, 'data'))
  await mkdir(to, { mode: 0o711 })
  const data = join(to, 'data')
  await promisify(execFile)('cp', ['-a', join(from, 'data'), data])
  for (const name of await readdir(from))
    if (name.startsWith('programs-')) await symlink(join(from, name), join(to, name))
  // Not an argument of the process, which every user of the machine can read.
  const primary = `host=${hosts.addressOf(PRIMARY)} port=${String(PORT)} user=postgres password=${PASSWORD}`
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
  await writeFile(join(data, 'standby.signal'), '')
  await chown(join(data, 'standby.signal'), uid, gid)
}

function urlOf(hosts: Hosts, host: string, user: string, database: string): string {
  return `postgresql://${user}:${PASSWORD}@${hosts.addressOf(host)}:${String(PORT)}/${database}`
}
