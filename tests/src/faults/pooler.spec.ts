import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Child } from '@bearing/local/child'
import { findOnPath, isExecutable, unpackFromDebian } from '@bearing/local/debian-package'
import { freePort } from '@bearing/local/ports'
import { startProcess } from '@bearing/local/process'
import { readSharedStack } from '@bearing/testing/addresses'
import { eventually } from '@bearing/testing/eventually'
import { serviceEnvironment, newSecrets } from '@bearing/testing/service-environment'
import { TestDatabase } from '@bearing/testing/test-database'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

/** Folders in which Debian keeps libraries. */
const LIBRARIES = ['usr/lib/x86_64-linux-gnu', 'usr/lib/aarch64-linux-gnu']
/** PgBouncer does not run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 }

let directory: string
let program: string
let database: TestDatabase

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bearing-pooler-'))
  await chmod(directory, 0o755)
  database = await TestDatabase.create()
  program = await findPgBouncer()
})

afterAll(async () => {
  await database.drop()
  await rm(directory, { recursive: true })
})

/** Finds it on PATH, or unpacks it from Debian's packages to where the other user reaches it. */
async function findPgBouncer(): Promise<string> {
  const onPath = await findOnPath('pgbouncer')
  if (onPath !== undefined) return onPath
  const cache = join(ROOT, '.bearing', 'pgbouncer')
  const cached = join(cache, 'usr', 'sbin', 'pgbouncer')
  if (!(await isExecutable(cached)))
    await unpackFromDebian(cache, ['pgbouncer', 'libevent-2.1-7', 'libc-ares2'])
  await cp(cache, join(directory, 'pgbouncer'), { recursive: true, verbatimSymlinks: true })
  return join(directory, 'pgbouncer', 'usr', 'sbin', 'pgbouncer')
}

/** Starts PgBouncer in transaction mode in front of the database. @param ignore startup parameters that it drops */
async function startPooler(ignore: string): Promise<{ readonly pooler: Child; readonly url: string }> {
  const port = await freePort()
  const url = new URL(database.databaseUrls.location)
  const file = join(directory, `${String(port)}.ini`)
  const users = join(directory, 'users.txt')
  await writeFile(users, `"${url.username}" "${url.password}"\n`)
  await writeFile(
    file,
    `[databases]
* = host=${url.hostname} port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${String(port)}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
${ignore === '' ? '' : `ignore_startup_parameters = ${ignore}`}
`,
  )
  const pooler = await launch({
    name: 'PgBouncer',
    command: program,
    args: [file],
    env: { LD_LIBRARY_PATH: LIBRARIES.map((folder) => join(directory, 'pgbouncer', folder)).join(':') },
    ...(process.getuid?.() === 0 && { user: NOBODY }),
  })
  await eventually(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1')
        socket.once('connect', () => {
          socket.destroy()
          resolve()
        })
        socket.once('error', reject)
      }),
  )
  url.port = String(port)
  return { pooler, url: url.href }
}

describe('a connection pooler between a service and Postgres', () => {
  it.each([
    ['that refuses the settings of a connection', ''],
    [
      'that drops the settings of a connection',
      'statement_timeout,idle_in_transaction_session_timeout,options',
    ],
  ])('%s is named when the service starts, and the service ends', async (_, ignore) => {
    const { pooler, url } = await startPooler(ignore)
    try {
      const { natsUrl, nkeySeeds } = readSharedStack()
      const lines: string[] = []
      const child = await startProcess({
        name: 'location',
        script: join(ROOT, 'apps', 'location', 'dist', 'main.js'),
        env: serviceEnvironment('location', await freePort(), {
          nats: { url: natsUrl.replace(/\/\/.*@/, '//'), testUrl: natsUrl, nkeySeeds },
          database: { name: '', adminUrl: '', serviceUrls: { ...database.databaseUrls, location: url } },
          redisUrl: undefined,
          ...newSecrets(),
        }),
        log: (line) => lines.push(line),
      })
      expect(await child.exited).toEqual({ code: 1, signal: null })
      const message = lines.filter((line) => line.includes('connection pooler'))
      expect(message).toHaveLength(1)
      expect(message[0]).toContain('docs/operations.md#connections-to-postgres')
      expect(lines.join('\n')).not.toContain(url)
    } finally {
      await pooler.stop()
    }
  })
})
