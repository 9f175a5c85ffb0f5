import { NOTHING_KNOWN, type SkipReason, type Uploaded } from '../uploads/uploaded.js'
import type { SymbolsFile } from './symbols-file.js'

/**
 * Chooses the files to upload. Of several with the same build id it is the largest, because a stripped file has the id of its
 * original. Those without a build id are chosen if the software version is known.
 *
 * @returns the files to upload, and the results of the others
 */
export function chooseSymbols(
  found: readonly SymbolsFile[],
  isVersionKnown: boolean,
): { files: SymbolsFile[]; before: Uploaded[] } {
  const largest = new Map<string, SymbolsFile>()
  for (const file of found) {
    const { buildId } = file
    if (buildId !== undefined && file.size > (largest.get(buildId)?.size ?? -1)) largest.set(buildId, file)
  }
  const isChosen = (file: SymbolsFile) =>
    file.buildId === undefined ? isVersionKnown && !file.isObject : largest.get(file.buildId) === file
  const skipped = (file: SymbolsFile, reason: SkipReason): Uploaded => ({
    ...NOTHING_KNOWN,
    file: file.name,
    size: file.size,
    outcome: 'skipped',
    reason,
    gnu_build_id: file.buildId ?? null,
  })
  const before = found
    .filter((file) => !isChosen(file))
    .map((file) => skipped(file, file.buildId === undefined ? 'no_build_id' : 'same_build_id'))
  return { files: found.filter(isChosen), before }
}
