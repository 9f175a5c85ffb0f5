import { execFile } from 'node:child_process'
import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@bearing/local/ports'
import { startPostgres, type Postgres } from '@bearing/local/postgres'
import { createMigratedDatabase } from '@bearing/testing/databases'
import pg from 'pg'

const PASSWORD = 'of-a-bench'
const CONCURRENT_FILES = 100

/** Both with 1 GB of buffers; the page cache of the machine has the rest of its memory. */
const SETTINGS = {
  /** Nothing survives a crash of the machine: the folder is thrown away. */
  load: {
    shared_buffers: '1GB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '4GB',
    maintenance_work_mem: '1GB',
    autovacuum: 'off',
  },
  /** As in production: durable, with a log for replicas. */
  measure: {
    shared_buffers: '1GB',
    max_wal_size: '4GB',
    work_mem: '64MB',
    maintenance_work_mem: '1GB',
    autovacuum: 'off',
  },
} as const

/** A Postgres of the bench's own. */
export class Server {
  private postgres: Postgres | undefined
  private port: number | undefined
  private url = ''

  constructor(private readonly directory: string) {}

  async start(mode: keyof typeof SETTINGS): Promise<void> {
    this.port ??= await freePort()
    this.postgres = await startPostgres({
      directory: join(this.directory, 'postgres'),
      password: PASSWORD,
      port: this.port,
      durable: mode !== 'load',
      settings: SETTINGS[mode],
    })
  }

  /** Makes the database with the real schema. */
  async migrate(): Promise<void> {
    if (!this.postgres) throw new Error('Postgres does not run')
    this.url = (await createMigratedDatabase(this.postgres.url)).adminUrl
  }

  async restart(mode: keyof typeof SETTINGS): Promise<void> {
    await this.postgres?.stop()
    await this.start(mode)
  }

  async kill(): Promise<void> {
    await this.postgres?.kill()
  }

  /** Writes all pages and drops them from the page cache: the next read of each comes from the disk. */
  async evictFiles(): Promise<void> {
    const base = await realpath(join(this.directory, 'postgres', 'data', 'base'))
    const files = await readdir(base, { recursive: true, withFileTypes: true })
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
    for (let first = 0; first < paths.length; first += CONCURRENT_FILES)
      await Promise.all(paths.slice(first, first + CONCURRENT_FILES).map(evict))
  }

  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url, options: '-c search_path=location' })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  async use<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = await this.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
}

async function evict(path: string): Promise<void> {
  await promisify(execFile)('dd', [
    `of=${path}`,
    'oflag=nocache',
    'conv=notrunc,fdatasync',
    'count=0',
    'status=none',
  ])
}
