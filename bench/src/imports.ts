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
import { OBSERVATIONS, POSITIONS, writeImportFiles, type ImportKind } from './import-files.js'
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
  let first = 0x06_00_00_00_00_00
  try {
    for (const kind of [OBSERVATIONS, POSITIONS]) {
      await database.query(`CREATE TABLE rows (${kind.columns})`)
      const rounds: Rounds = { rows: [], numbers: [], imports: [] }
      for (let round = 0; round <= ROUNDS; round++, first += kind.accessPoints * 16) {
        const files = await writeImportFiles(folder, kind, first)
        const rowsMs = await copy(database, 'rows', files.rows)
        const numbersMs = await copy(database, 'numbers', files.numbers)
        const ended = await importFile(stack, organization, files.exported)
        await Promise.all([files.exported, files.rows, files.numbers].map((file) => rm(file)))
        // The first round is before everything is compiled and every connection is open.
        if (round === 0) continue
        rounds.rows.push(rowsMs)
        rounds.numbers.push(numbersMs)
        rounds.imports.push(ended)
      }
      await database.query('DROP TABLE rows')
      report(kind, rounds)
    }
  } finally {
    await database.query('DROP TABLE numbers')
    await database.end()
    await rm(folder, { recursive: true })
  }
}

async function copy(database: pg.Client, table: string, file: string): Promise<number> {
  await database.query(`TRUNCATE ${table}`)
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

function report({ title, rows: count }: ImportKind, { rows, numbers, imports }: Rounds): void {
  const [importMs, rowsMs, numbersMs] = [imports.map(({ ms }) => ms), rows, numbers].map(
    (rounds) => percentiles(rounds).p50Ms,
  ) as [number, number, number] // one for each
  const line = (name: string, ms: number) =>
    `${name.padEnd(44)} ${((count / ms) * 1_000).toFixed(0).padStart(8)} rows/s  the import has ${(ms / importMs).toFixed(2)} of it\n`
  const memory = ['command line', ...SERVICES].map((name, index) => {
    const most = Math.max(...imports.map((ended) => ended.memory[index] ?? 0))
    return `${name} ${(most / MIB).toFixed(0)} MiB`
  })
  process.stdout.write(
    [
      `\nImport of ${String(count)} ${title}\n`,
      line('plain COPY of the rows as they are', rowsMs),
      line('plain COPY of their numbers alone', numbersMs),
      `${'bearing access-points import'.padEnd(44)} ${((count / importMs) * 1_000).toFixed(0).padStart(8)} rows/s\n`,
      `memory at most: ${memory.join(', ')}\n`,
    ].join(''),
  )
}
