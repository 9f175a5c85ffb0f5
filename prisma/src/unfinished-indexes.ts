import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { migrationSql } from './migration-files.js'

/** Pattern by which indexes are found. The lint of migrations requires this form. */
export const BUILT_CONCURRENTLY = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "(\w+)"/gm

const UNFINISHED = `
  SELECT relname AS name FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid
  JOIN pg_namespace AS space ON space.oid = relnamespace
  WHERE nspname = $1 AND NOT indisvalid AND relname = ANY ($2::text[])`

/**
 * Drops what a migration that builds an index beside writers (`CREATE INDEX CONCURRENTLY`) has left behind where it did not
 * come to its end: no query uses it, and the migration could not run again.
 *
 * @param admin who holds the lock of migrations: nobody is building one
 */
export async function dropUnfinishedIndexes(
  admin: pg.Client,
  schema: string,
  migrations: MigrationList,
): Promise<void> {
  const built = migrations.migrationDirectories.flatMap(({ path }) =>
    Array.from(migrationSql(migrations, path).matchAll(BUILT_CONCURRENTLY), ([, name = '']) => name),
  )
  if (built.length === 0) return
  const { rows } = await admin.query<{ name: string }>(UNFINISHED, [schema, built])
  for (const { name } of rows)
    await admin.query(`DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`)
}
