import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders that builds write, or that they do not read. Of those called `dist` it counts that they are there. */
const PASSED_OVER = new Set(['node_modules', 'dist', 'generated'])

/** Returns a text that changes when a file of the checkout does: by paths, sizes and times. */
export function fingerprint(root) {
  const hash = createHash('sha256')
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) {
        if (!PASSED_OVER.has(entry.name)) walk(path)
        else if (entry.name === 'dist') hash.update(`${path}\n`)
      } else if (entry.isFile()) {
        const { size, mtimeMs } = statSync(path)
        hash.update(`${path} ${size} ${mtimeMs}\n`)
      }
    }
  }
  walk(root)
  return hash.digest('hex')
}
