import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Child } from '@bearing/local/child'
import { freePort } from '@bearing/local/ports'
import { eventually } from '@bearing/testing/eventually'
import { describe } from '@jest/globals'
import pg from 'pg'

const PASSWORD = 'of-a-test'
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }
const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore']

/**
 * Returns the folder of the programs of Debian's Postgres with its `pg_dump`, which the embedded one lacks: the newest of them,
 * or undefined if none is installed.
 */
export function debianPostgres(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin')
    .filter((bin) => PROGRAMS.every((program) => existsSync(join(bin, program))))
    .toSorted((a, b) => Number(b.split('/')[4]) - Number(a.split('/')[4]))[0]
}

/** Options of a server. */
interface ServerOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** Fills the folder of its data, as a restore does, instead of `initdb`. */
  readonly fill?: (data: string) => Promise<void>
}

/** A Postgres of Debian, with its data in a temporary folder. */
export class DebianPostgres implements AsyncDisposable {
  /** Of the superuser. */
  readonly password = PASSWORD

  private constructor(
    /** Of the superuser. */
    readonly url: string,
    /** The folder of its data, with its socket. */
    readonly data: string,
    private readonly child: Child,
    private readonly directory: string,
  ) {}

  /** Starts one. @param bin the folder of its programs */
  static async start(bin: string, { settings: more, fill }: ServerOptions = {}): Promise<DebianPostgres> {
    const directory = await mkdtemp(join(tmpdir(), 'bearing-debian-postgres-'))
    const [data, password] = [join(directory, 'data'), join(directory, 'password')]
    const user = postgresUser()
    await mkdir(data, { mode: 0o700 })
    await writeFile(password, PASSWORD)
    await chmod(directory, 0o711)
    if (user) for (const path of [data, password]) await chown(path, user.uid, user.gid)
    const run = { env: ENVIRONMENT, cwd: directory, user }
    const auth = ['--username=postgres', `--pwfile=${password}`, '--auth=scram-sha-256', '--encoding=UTF8']
    const args = [`--pgdata=${data}`, ...auth, '--locale=C.UTF-8', '--no-sync']
    if (fill) await fill(data)
    else {
      const made = await launch({ name: 'initdb', command: join(bin, 'initdb'), args, ...run })
      const { code } = await made.exited
      if (code !== 0) throw new Error(`initdb failed:\n${made.lastLines().join('\n')}`)
    }
    const port = await freePort()
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: data,
      fsync: 'off',
      max_connections: '200',
      ...more,
    }
    const child = await launch({
      ...{ name: 'Postgres', command: join(bin, 'postgres'), stopSignal: 'SIGINT', ...run },
      args: [
        ...['-D', data, '-p', String(port)],
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
    })
    const url = `postgresql://postgres:${PASSWORD}@127.0.0.1:${String(port)}/postgres`
    await eventually(() => query(url, 'SELECT 1'), { withinMs: 60_000 })
    return new DebianPostgres(url, data, child, directory)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.child.stop()
    await rm(this.directory, { recursive: true, force: true })
  }
}

/** The user that Postgres runs as where the test is root. */
export function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [uid = 0, gid = 0] = ['-u', '-g'].map((option) =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout),
  )
  return { uid, gid }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** `describe` where Debian's Postgres is: the embedded one of the tests has no `pg_dump`. Elsewhere the suite is skipped, and says why. */
export function describeWithPgDump(name: string, suite: () => void): void {
  if (debianPostgres() === undefined) describe.skip(`${name} (no pg_dump with its server)`, suite)
  else describe(name, suite)
}
