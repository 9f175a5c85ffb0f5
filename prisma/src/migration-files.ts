import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'

/**
 * Reads the migrations of a service, oldest first.
 *
 * @param folder holds a folder for each migration, `<UTC timestamp>_<name>/migration.sql`; may be missing
 * @throws where a folder has no readable `migration.sql`
 */
export async function readMigrations(folder: string): Promise<MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const migrationDirectories = names.sort().map(async (path) => {
    const value = await readFile(join(folder, path, 'migration.sql'), 'utf8')
    return { path, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } } }
  })
  return {
    baseDir: folder,
    // Prisma's own tool keeps this in a file. Here there is only Postgres.
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(migrationDirectories),
  }
}

export function migrationSql(list: MigrationList, name: string): string {
  const content = list.migrationDirectories.find(({ path }) => path === name)?.migrationFile.content
  return content?.tag === 'ok' ? content.value : ''
}
