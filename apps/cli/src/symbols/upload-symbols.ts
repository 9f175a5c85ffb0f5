import { ProblemError } from '@bearing/client/errors'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { spinning } from '../output/progress.js'
import { retryTransient } from '../retry-transient.js'
import type { Session } from '../session.js'
import { jobsOption } from '../uploads/jobs-option.js'
import { digestsOf } from '../uploads/local-file.js'
import type { Putting } from '../uploads/put-file.js'
import { uploadAll } from '../uploads/upload-all.js'
import { onServer, type Uploaded } from '../uploads/uploaded.js'
import { uploadFile, type StoredFile, type UploadTarget } from '../uploads/upload-file.js'
import { UsageError } from '../usage-error.js'
import { chooseSymbols } from './choose-symbols.js'
import type { ElfFile, SymbolsFile } from './elf-file.js'
import { findElfFiles } from './find-elf-files.js'
import { TemporaryFolder } from './temporary-folder.js'

interface Flags {
  readonly force?: boolean
  readonly jobs: number
}

export function addUploadSymbols(symbols: Command, cli: Cli): void {
  symbols
    .command('upload')
    .description('upload symbols: ELF files with a GNU build id; with an organization token or as a user')
    .argument('<paths...>', 'ELF files, folders, and archives (.zip, .tar, .tar.gz) of them')
    .option('--force', 'upload even if the project has symbols with this build id')
    .addOption(jobsOption())
    .addHelpText(
      'after',
      `
Everything in folders and archives that is no ELF file is left out; archives in them are not opened. What the project has, by
its build id, is not uploaded again. Of several files with the same build id the largest is taken: it is the one that has the
debug information. ELF files of archives are unpacked into a temporary folder, and nothing is in memory as a whole.`,
    )
    .action(async (paths: string[], flags: Flags) => {
      const session = await cli.session()
      if (session.selected.credential.kind === 'project_key')
        throw new UsageError(
          'A project key cannot upload symbols.',
          'Use an organization token (--org-token), or --email and --password.',
        )
      await using folder = new TemporaryFolder()
      const { files, before } = chooseSymbols(await find(cli, paths, folder))
      await uploadAll(cli, {
        files,
        before,
        jobs: flags.jobs,
        upload: (file, putting) => uploadOne(session, file, flags, putting),
      })
    })
}

async function find(cli: Cli, paths: readonly string[], folder: TemporaryFolder): Promise<ElfFile[]> {
  const { signal } = cli.terminal
  return spinning(cli.output, `Searching ${counted(paths.length, 'path')}`, async () => {
    const found: ElfFile[] = []
    for await (const file of findElfFiles(paths, folder, signal)) found.push(file)
    if (found.length === 0) throw new UsageError('No ELF files were found in these paths.')
    return found
  })
}

async function uploadOne(
  session: Session,
  file: SymbolsFile,
  { force }: Flags,
  putting: Putting,
): Promise<Uploaded> {
  const there = force ? undefined : await findOnServer(session, file.buildId, putting.signal)
  if (there) return onServer(file, there, 'already_there')
  const digests = await digestsOf(file, putting.signal)
  return onServer(file, await uploadFile({ ...file, ...digests }, targetFor(session), putting), null)
}

async function findOnServer(
  { client, organization, project }: Session,
  gnu_build_id: string,
  signal: AbortSignal,
): Promise<StoredFile | undefined> {
  const asked = { organization, project, gnu_build_id }
  try {
    return await retryTransient(signal, () => client.call('findSymbols', asked, { signal }))
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'symbols_not_found') return undefined
    throw error
  }
}

function targetFor({ client, organization, project }: Session): UploadTarget {
  return {
    prepare: (size, signal) =>
      client.call('prepareUpload', { organization, project, kind: 'symbols', size }, { signal }),
    commit: (file, signal) => client.call('commitSymbols', { organization, project, file }, { signal }),
  }
}
