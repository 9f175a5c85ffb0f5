import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { isExecutable, unpackWithDependencies } from '@bearing/local/debian-package'
import { type DebianPostgres, postgresUser } from './debian-postgres.js'
import { ROOT } from './root.js'

const CACHE = join(ROOT, '.bearing', 'pgbackrest')
const PROGRAM = join(CACHE, 'usr', 'bin', 'pgbackrest')
const run = promisify(execFile)

/** pgBackRest of Debian with a repository in a temporary folder, for one Postgres. */
export class PgBackRest implements AsyncDisposable {
  private constructor(
    private readonly directory: string,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** Unpacks the program, which needs root, and makes an empty repository. */
  static async open(): Promise<PgBackRest> {
    if (!(await isExecutable(PROGRAM))) await unpackWithDependencies(CACHE, ['pgbackrest'])
    const directory = await mkdtemp(join(tmpdir(), 'bearing-pgbackrest-'))
    const { uid, gid } = postgresUser() ?? {}
    for (const folder of ['repo', 'log', 'lock', 'spool']) await mkdir(join(directory, folder))
    if (uid !== undefined && gid !== undefined)
      for (const folder of ['repo', 'log', 'lock', 'spool']) await chown(join(directory, folder), uid, gid)
    await chmod(directory, 0o755)
    const libraries = globSync(join(CACHE, 'usr/lib/*-linux-gnu')).join(delimiter)
    return new PgBackRest(directory, { LD_LIBRARY_PATH: libraries, PATH: '/usr/bin:/bin' })
  }

  /** Settings of a Postgres that archives into the repository. */
  get settings(): Readonly<Record<string, string>> {
    const libraries = `LD_LIBRARY_PATH=${this.environment['LD_LIBRARY_PATH'] ?? ''}`
    const command = `env ${libraries} ${PROGRAM} --config=${this.file} --stanza=bearing archive-push %p`
    return { archive_mode: 'on', archive_command: command }
  }

  /** Makes a backup while the server works, after `stanza-create`. */
  async backUp(server: DebianPostgres): Promise<void> {
    await this.configure(server.data, server)
    await this.run(server.password, 'stanza-create')
    await this.run(server.password, '--type=full', '--start-fast', 'backup')
  }

  /** Writes the newest backup, and what was archived after it, into an empty folder. */
  async restore(data: string): Promise<void> {
    await this.configure(data)
    await this.run('', 'restore')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
  }

  private get file(): string {
    return join(this.directory, 'pgbackrest.conf')
  }

  private async configure(data: string, server?: DebianPostgres): Promise<void> {
    const folder = (name: string) => `${name}-path=${join(this.directory, name)}`
    const lines = [
      '[global]',
      // On a busy machine a segment of the log takes longer than a minute to be archived.
      'archive-timeout=600',
      ...[`repo1-path=${join(this.directory, 'repo')}`, folder('log'), folder('lock'), folder('spool')],
      '[bearing]',
      `pg1-path=${data}`,
      ...(server === undefined ? [] : [`pg1-port=${new URL(server.url).port}`, `pg1-socket-path=${data}`]),
    ]
    await writeFile(this.file, `${lines.join('\n')}\n`)
  }

  private async run(password: string, ...args: readonly string[]): Promise<void> {
    const env = { ...this.environment, PGPASSWORD: password }
    await run(PROGRAM, [`--config=${this.file}`, '--stanza=bearing', ...args], {
      env,
      cwd: '/',
      ...postgresUser(),
    })
  }
}
