import { ProblemError } from '@bearing/client/errors'
import { verb } from '../../session/verb.js'
import type { Cli } from '../../session/cli.js'
import { counted } from '../../ground/output/format.js'
import { spinning } from '../../ground/output/progress.js'
import { retryTransient } from '@bearing/client/retry-transient'
import type { Session } from '../../session/session.js'
import { JOBS, uploadAll } from './upload-all.js'
import { digestsOf } from './local-file.js'
import {
  type Putting,
  onServer,
  type Uploaded,
  uploadFile,
  type StoredFile,
  type UploadTarget,
  NOTHING_KNOWN,
  type SkipReason,
} from './put-file.js'
import { UsageError } from '../../ground/usage-error.js'
import { findSymbolsFiles, type SymbolsFile } from './find-symbols-files.js'
import { TemporaryFolder } from './spool-symbols.js'

interface Flags {
  readonly force?: boolean | undefined
  readonly softwareType?: string | undefined
  readonly softwareVersion?: string | undefined
  readonly jobs: number
}

/** The software that symbols are of. */
interface Software {
  readonly software_type: string
  readonly version: string
}

verb('symbols upload', {
  about: 'upload symbols: ELF files and ProGuard mappings; with an organization token or as a user',
  takes: {
    '<paths...>': 'ELF files, ProGuard mappings, folders, and archives (.zip, .tar, .tar.gz) of them',
    '--software-type <type>': 'software type that the symbols are of',
    '--software-version <version>': 'software version that the symbols are of',
    '-f, --force': 'upload even if the project has these symbols',
    ...JOBS,
  },
  help: `A build id is that of the linker (GNU), or that of the firmware SDK. ELF files without one, and ProGuard mappings, are found by
their software: they need --software-type and --software-version. Object files (.o) are never uploaded by their software.

Everything else in folders and archives is left out; archives in them are not opened. What the project has, by its build id, or
its content and software, is not uploaded again. Of several files with the same build id the largest is taken: it is the one
that has the debug information. Files of archives are unpacked into a temporary folder, and nothing is in memory as a whole.`,
  examples: ['build/'],
  run: async (cli, { paths, ...flags }) => {
    const software = softwareOf(flags)
    const session = await cli.session()
    if (session.selected.credential.kind === 'project_key')
      throw new UsageError(
        'A project key cannot upload symbols.',
        'Use an organization token (--org-token), or --email and --password.',
      )
    await using folder = new TemporaryFolder()
    const { files, before } = chooseSymbols(await find(cli, paths, folder), software !== undefined)
    await uploadAll(cli, {
      files,
      before,
      jobs: flags.jobs,
      upload: (file, putting) => uploadOne(session, file, { software, force: flags.force }, putting),
    })
  },
})

/** @throws UsageError if only one of the two is there */
function softwareOf({ softwareType, softwareVersion }: Flags): Software | undefined {
  if (softwareType !== undefined && softwareVersion !== undefined)
    return { software_type: softwareType, version: softwareVersion }
  if (softwareType === undefined && softwareVersion === undefined) return undefined
  throw new UsageError('--software-type and --software-version belong together.', 'Set both.')
}

async function find(cli: Cli, paths: readonly string[], folder: TemporaryFolder): Promise<SymbolsFile[]> {
  const { signal } = cli.terminal
  return spinning(cli.output, `Searching ${counted(paths.length, 'path')}`, async () => {
    const found: SymbolsFile[] = []
    for await (const file of findSymbolsFiles(paths, folder, signal)) found.push(file)
    if (found.length === 0)
      throw new UsageError('No ELF files and no ProGuard mappings were found in these paths.')
    return found
  })
}

async function uploadOne(
  session: Session,
  file: SymbolsFile,
  { software, force }: { readonly software: Software | undefined; readonly force: boolean | undefined },
  putting: Putting,
): Promise<Uploaded> {
  const { signal } = putting
  const byBuildId = force ? undefined : await findByBuildId(session, file, signal)
  if (byBuildId) return onServer(file, byBuildId, 'already_there')
  const digests = await digestsOf(file, signal)
  const bySoftware = force ? undefined : await findBySoftware(session, file, digests.sha256, software, signal)
  if (bySoftware) return onServer(file, bySoftware, 'already_there')
  const target = targetFor(session, software)
  return onServer(file, await uploadFile({ ...file, ...digests }, target, putting), null)
}

async function findByBuildId(
  { client, organization, project }: Session,
  { buildId: gnu_build_id }: SymbolsFile,
  signal: AbortSignal,
): Promise<StoredFile | undefined> {
  if (gnu_build_id === undefined) return undefined
  const asked = { organization, project, gnu_build_id }
  try {
    return await retryTransient(signal, () => client.call('findSymbols', asked, { signal }))
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'symbols_not_found') return undefined
    throw error
  }
}

async function findBySoftware(
  { client, organization, project }: Session,
  { buildId }: SymbolsFile,
  sha256: string,
  software: Software | undefined,
  signal: AbortSignal,
): Promise<StoredFile | undefined> {
  if (buildId !== undefined || !software) return undefined
  const { software_type, version: software_version } = software
  const asked = { organization, project, kind: 'symbols' as const, sha256, software_type, software_version }
  const found = await retryTransient(signal, () =>
    client.call('listFiles', { ...asked, per_page: 1 }, { signal }),
  )
  return found.data[0]
}

function targetFor({ client, organization, project }: Session, software: Software | undefined): UploadTarget {
  const attributes = software && { software_version: software }
  return {
    prepare: (size, signal) =>
      client.call('prepareUpload', { organization, project, kind: 'symbols', size }, { signal }),
    commit: (file, signal) =>
      client.call('commitSymbols', { organization, project, file, ...attributes }, { signal }),
  }
}

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
