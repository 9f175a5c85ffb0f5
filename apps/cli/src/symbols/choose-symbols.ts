import { NOTHING_KNOWN, type SkipReason, type Uploaded } from '../uploads/uploaded.js'
import type { ElfFile, SymbolsFile } from './elf-file.js'

/**
 * Chooses the largest of the files with the same build id, because a stripped file has the id of its original.
 *
 * @returns the files to upload, and the results of the others
 */
export function chooseSymbols(found: readonly ElfFile[]): { files: SymbolsFile[]; before: Uploaded[] } {
  const largest = new Map<string, SymbolsFile>()
  for (const file of found) {
    const { buildId } = file
    if (buildId !== undefined && file.size > (largest.get(buildId)?.size ?? -1))
      largest.set(buildId, { ...file, buildId })
  }
  const files = [...largest.values()]
  const chosen = new Set(files.map(({ path }) => path))
  const skipped = (file: ElfFile, reason: SkipReason): Uploaded => ({
    ...NOTHING_KNOWN,
    file: file.name,
    size: file.size,
    outcome: 'skipped',
    reason,
    gnu_build_id: file.buildId ?? null,
  })
  const before = found
    .filter(({ path }) => !chosen.has(path))
    .map((file) => skipped(file, file.buildId === undefined ? 'no_build_id' : 'same_build_id'))
  return { files, before }
}
