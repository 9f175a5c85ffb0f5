import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { TestOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { percentiles } from './figures.js'
import { OBSERVATIONS, POSITIONS, READY_COLUMNS, writeImportFiles, type ImportKind } from './import-files.js'
import { watchMemory } from './memory.js'

const ROUNDS = 3
const MIB = 1024 * 1024
const COMMAND = join(import.meta.dirname, '..', '..', 'apps', 'cli', 'dist', 'main.js')
const SERVICES = ['gateway-1', 'location'] as const

/** An import that has ended. */
interface Ended {
  readonly ms: number
  /** What the command line and {@link SERVICES} took at most, in bytes. */
  readonly memory: readonly number[]
}

/** Rounds of the sides of a comparison, in milliseconds. */
interface Rounds {
  /** `COPY` of the rows as they are in the file, into a table of their columns. */
  readonly rows: number[]
  /** `COPY` of nothing but their numbers: less to read than an import has, which looks at names and types too. */
  readonly numbers: number[]
  /** `COPY` of the rows as they will be stored, into a table with the key, checks and partitions of the one that look-ups read. */
  readonly ready: number[]
  readonly imports: Ended[]
}

/**
 * Rows of a file, by the command line, from its start until they are visible and it has ended; against `COPY` of the same rows
 * into plain tables without an index. The sides take turns, and no access point was known before.
 */
export async function compareImports(stack: Stack, organization: TestOrganization): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bearing-bench-'))
  const database = new pg.Client(stack.adminDatabaseUrl)
  await database.connect()
  await database.query('CREATE TABLE numbers (bssid bigint, lat float8, lon float8, dbm smallint)')
  await createReady(database)
  let first = 0x06_00_00_00_00_00
  try {
    for (const kind of [OBSERVATIONS, POSITIONS]) {
      await database.query(`CREATE TABLE rows (${kind.columns})`)
      const rounds: Rounds = { rows: [], numbers: [], ready: [], imports: [] }
      for (let round = 0; round <= ROUNDS; round++, first += kind.accessPoints * 16) {
        const files = await writeImportFiles(folder, kind, first)
        await database.query('TRUNCATE rows, numbers')
        const rowsMs = await copy(database, 'rows', files.rows)
        const numbersMs = await copy(database, 'numbers', files.numbers)
        // What rounds before have left stays, as it does where the import writes.
        const readyMs = files.ready && (await copy(database, `ready (${READY_COLUMNS})`, files.ready))
        const ended = await importFile(stack, organization, files.exported)
        await Promise.all(Object.values(files).map((file: string) => rm(file)))
        // The first round is before everything is compiled and every connection is open.
        if (round === 0) continue
        rounds.rows.push(rowsMs)
        rounds.numbers.push(numbersMs)
        if (readyMs) rounds.ready.push(readyMs)
        rounds.imports.push(ended)
      }
      await database.query('DROP TABLE rows')
      report(kind, rounds)
    }
  } finally {
    await database.query('DROP TABLE numbers, ready')
    await database.end()
    await rm(folder, { recursive: true })
  }
}

/** A table that differs from `access_points` in nothing but what is in it. */
async function createReady(database: pg.Client): Promise<void> {
  await database.query(
    'CREATE TABLE ready (LIKE location.access_points INCLUDING ALL) PARTITION BY HASH (bssid)',
  )
  const { rows } = await database.query<{ name: string; bound: string }>(
    `SELECT relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bound
     FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'location.access_points'::regclass`,
  )
  for (const { name, bound } of rows)
    await database.query(`CREATE TABLE ready_${name} PARTITION OF ready ${bound}`)
}

async function copy(database: pg.Client, table: string, file: string): Promise<number> {
  const began = performance.now()
  await pipeline(createReadStream(file), database.query(copyFrom(`COPY ${table} FROM STDIN (FORMAT csv)`)))
  return performance.now() - began
}

async function importFile(stack: Stack, { slug, token }: TestOrganization, file: string): Promise<Ended> {
  const began = performance.now()
  const command = spawn(process.execPath, [COMMAND, 'access-points', 'import', file, '--json'], {
    env: { BEARING_URL: stack.gatewayUrls[0], BEARING_ORG_TOKEN: token.token, BEARING_ORG: slug },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const memory = watchMemory([command.pid ?? 0, ...SERVICES.map((name) => stack.part(name).pid)])
  const ended = once(command, 'exit') as Promise<[number | null]> // as node:child_process declares it
  const [[code], said] = await Promise.all([ended, text(command.stderr)])
  const ms = performance.now() - began
  if (code !== 0) throw new Error(`the import failed: ${said}`)
  return { ms, memory: await memory.stop() }
}

function report({ title, rows: count }: ImportKind, { rows, numbers, ready, imports }: Rounds): void {
  const median = (rounds: readonly number[]) => percentiles(rounds).p50Ms
  const importMs = median(imports.map(({ ms }) => ms))
  const perSecond = (name: string, ms: number) =>
    `${name.padEnd(48)} ${((count / ms) * 1_000).toFixed(0).padStart(8)} rows/s`
  const line = (name: string, rounds: readonly number[]) =>
    `${perSecond(name, median(rounds))}  the import has ${(median(rounds) / importMs).toFixed(2)} of it\n`
  const memory = ['command line', ...SERVICES].map((name, index) => {
    const most = Math.max(...imports.map((ended) => ended.memory[index] ?? 0))
    return `${name} ${(most / MIB).toFixed(0)} MiB`
  })
  process.stdout.write(
    [
      `\nImport of ${String(count)} ${title}\n`,
      line('plain COPY of the rows as they are', rows),
      line('plain COPY of their numbers alone', numbers),
      ...(ready.length > 0 ? [line('COPY of what is stored, with key and partitions', ready)] : []),
      `${perSecond('bearing access-points import', importMs)}\n`,
      `memory at most: ${memory.join(', ')}\n`,
    ].join(''),
  )
}
