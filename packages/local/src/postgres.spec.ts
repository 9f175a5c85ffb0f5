import { spawnSync } from 'node:child_process'
import { lstat, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { startPostgres } from './postgres.js'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bearing-postgres-'))
})
afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

const password = "a 'password' with: / @ ümlaut"
const start = () => startPostgres({ directory, password, durable: false })

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  // A server that is killed ends the connection of a client that is still there.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Processes that have the directory in their command line. */
function processesOf(path: string): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(path))
}

describe('startPostgres', () => {
  it('keeps its data over a stop, and leaves no process', async () => {
    const first = await start()
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    expect(processesOf(directory)).toEqual([])
    const second = await start()
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    await second.stop()
  })

  it('starts again after it was killed', async () => {
    const first = await start()
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.kill()
    const second = await start()
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    await second.stop()
  })

  it('starts although the pid it left behind belongs to another process', async () => {
    await (await start()).stop()
    const pidFile = join(directory, 'data', 'postmaster.pid')
    await writeFile(pidFile, `${process.pid}\n${directory}/data\n`)
    const second = await start()
    expect(await readFile(pidFile, 'utf8')).toMatch(new RegExp(`^${second.pid}\n`))
    await second.stop()
  })

  it('takes the place of one that still runs', async () => {
    const first = await start()
    const second = await start()
    await first.exited
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await second.stop()
  })

  it('ends when the process that started it is killed, and starts again', async () => {
    const module = JSON.stringify(new URL('postgres.js', import.meta.url).href)
    const options = JSON.stringify({ directory, password, durable: false })
    const script = `const { startPostgres } = await import(${module})
      await startPostgres(${options}); process.kill(process.pid, 'SIGKILL')`
    spawnSync(process.execPath, ['--input-type=module', '--eval', script])
    const second = await start()
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await second.stop()
    for (let tries = 0; tries < 1_500 && processesOf(directory).length > 0; tries++) await sleep(20)
    expect(processesOf(directory)).toEqual([])
  })

  it('asks for the password, on 127.0.0.1 only', async () => {
    const postgres = await start()
    const wrong = postgres.url.replace(/:[^:@]*@/, ':wrong@')
    await expect(query(wrong, 'SELECT 1')).rejects.toThrow(/password authentication failed/)
    expect(await query(postgres.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    await postgres.stop()
  })

  // Only root has to run Postgres as somebody else, and only root can try that.
  const isRoot = process.getuid?.() === 0
  const asRoot = isRoot ? it : it.skip
  const reason = isRoot ? '' : ' (skipped: only root can try it)'
  asRoot(`runs under a folder that only root may enter${reason}`, async () => {
    const closed = await mkdtemp('/var/tmp/bearing-closed-')
    const place = join(closed, 'postgres')
    const postgres = await startPostgres({ directory: place, password, durable: false })
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await postgres.stop()
    expect((await lstat(closed)).mode & 0o777).toBe(0o700)
    await rm(await realpath(place), { recursive: true })
    await rm(closed, { recursive: true })
  })

  asRoot(`leaves nothing elsewhere when it runs in a temporary folder${reason}`, async () => {
    const place = join(directory, 'below')
    await (await startPostgres({ directory: place, password, durable: false })).stop()
    expect((await lstat(place)).isSymbolicLink()).toBe(false)
  })
})
