import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Lifetime of an entry, in milliseconds: 30 days. It is unknown which are in use; those that are come back. */
const KEPT_MS = 30 * 24 * 3600 * 1_000

/**
 * The folder in which Node keeps what it has compiled of the programs of a checkout: a start takes a tenth less of the
 * processor. It is Node's module compile cache, and given to programs as `NODE_COMPILE_CACHE`.
 *
 * Nothing depends on it. There is an entry for each path and version of Node, with the length and the checksum of the text
 * that it was made of and of its own: one of an older text, or a damaged one, counts as none, and is replaced when the program
 * ends. Entries are written beside their place and renamed, so that any number of programs can do so concurrently.
 */
export function compileCache(checkout: string): string {
  return join(checkout, '.bearing', 'compile-cache')
}

/** Removes what is older than 30 days: entries of files that are gone, and of former versions of Node, stay for ever otherwise. */
export async function sweepCompileCache(folder: string): Promise<void> {
  const until = Date.now() - KEPT_MS
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    // Others may be sweeping too.
    const written = await stat(path).catch(() => undefined)
    if (written && written.mtimeMs < until) await rm(path, { force: true })
  }
}
