// Functions that the builds of the dashboard and of the documentation share: each writes a folder of pages that the gateway serves.
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '..')
const STAMP = 'inputs.sha256'

/** Returns whether the folder was built from other inputs. */
export function isStale(folder, inputs) {
  try {
    return readFileSync(join(folder, STAMP), 'utf8') !== inputs
  } catch {
    return true
  }
}

/** Moves what was built into place when everything is written: a build that was killed leaves no half of one. */
export function moveIntoPlace(next, folder, inputs) {
  writeFileSync(join(next, STAMP), inputs)
  rmSync(folder, { recursive: true, force: true })
  renameSync(next, folder)
}

/** Writes a file in the other codings beside it. */
export function compress(path) {
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
}

/** Returns a hash of the files, which identifies the inputs of a build. */
export function digest(paths) {
  const hash = createHash('sha256')
  for (const path of paths.toSorted()) {
    let bytes
    try {
      bytes = readFileSync(path)
    } catch (error) {
      if (error.code === 'EISDIR') continue
      throw error
    }
    hash.update(`${relative(ROOT, path)}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}
