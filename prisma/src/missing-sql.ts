import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@bearing/local/postgres'
import pg from 'pg'
import { readMigrations } from './migration-files.js'
import { ALL_TABLES, openSchemaEngine } from './schema-engine.js'
import type { Service } from './services.js'

/** Exit code of the engine if there is a difference; 0 if there is none. */
const NOT_EMPTY = 2

/**
 * The SQL that is missing between the migrations of a service and its `schema.prisma`; empty where nothing is.
 *
 * @param folder holds `schema.prisma` and `migrations`
 */
export async function missingSql(service: Service, folder: string): Promise<string> {
  const schema = await readFile(join(folder, 'schema.prisma'), 'utf8')
  const migrations = await readMigrations(join(folder, 'migrations'))
  const directory = await mkdtemp(join(tmpdir(), 'bearing-migration-'))
  const postgres = await startPostgres({
    directory,
    password: randomBytes(16).toString('hex'),
    durable: false,
  })
  try {
    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(service)}`)
    await client.end()
    const opened = await openSchemaEngine(postgres.url, service, 0, true)
    const { exitCode, stdout } = await opened.engine
      .diff({
        from: { tag: 'migrations', ...migrations },
        to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
        script: true,
        exitCode: true,
        filters: ALL_TABLES,
      })
      .finally(() => opened.close())
    return exitCode === NOT_EMPTY && stdout !== null ? stdout : ''
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true })
  }
}
