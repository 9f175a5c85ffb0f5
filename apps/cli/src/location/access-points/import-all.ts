import { UnusableFileError } from '@bearing/files/unusable-file-error'
import { VARIABLES } from '../../ground/environment.js'
import { FLAGS } from '../../ground/flags.js'
import { UsageError } from '../../ground/usage-error.js'
import { EXIT, type Cli } from '../../session/cli.js'
import { printError, reportOf } from '../../session/error-report.js'
import type { Session } from '../../session/session.js'
import { withImportFiles, type ImportFile } from './import-file.js'
import type { Imported } from './import-one.js'
import type { ImportTarget, PackedField } from './import-target.js'
import { printSummary } from './print-summary.js'

/** Flags of every import. */
export interface TargetFlags {
  readonly dryRun?: boolean | undefined
  readonly shared?: boolean | undefined
  readonly natsUrl?: string | undefined
}

/**
 * Opens the destination of an import.
 *
 * @param field the field with the rows of a batch
 */
export async function openTarget(
  cli: Cli,
  { shared, natsUrl }: TargetFlags,
  field: PackedField,
): Promise<ImportTarget> {
  if (!shared) return organizationTarget(await cli.session(), field)
  const { settings } = cli.terminal.environment
  const url = natsUrl ?? settings.natsUrl
  if (!url) throw new UsageError(`--shared needs ${FLAGS.natsUrl} or ${VARIABLES.natsUrl}.`)
  // Loaded on demand, because few commands use NATS.
  const { sharedTarget } = await import('./shared-target.js')
  return sharedTarget({ url, nkeySeed: settings.natsNkeySeed }, cli.terminal.now, field)
}

/** Imports files in order and prints the results. An unusable file does not stop the others. */
export async function importAll(
  cli: Cli,
  paths: readonly string[],
  importOne: (file: ImportFile) => Promise<Imported>,
): Promise<void> {
  const done: Imported[] = []
  try {
    await withImportFiles(cli, paths, async (files) => {
      for (const file of files)
        done.push(await importOne(file).catch((error: unknown) => reportUnusable(cli, file, error)))
    })
  } catch (error) {
    if (done.length > 0) printSummary(cli.output, done)
    throw error
  }
  printSummary(cli.output, done)
  if (done.some(({ state }) => state === 'failed')) cli.exitCode = EXIT.refused
  else if (done.some(({ state }) => state === 'unusable')) cli.exitCode = EXIT.usage
}

/** @throws errors that are not about the file */
function reportUnusable(cli: Cli, file: ImportFile, error: unknown): Imported {
  if (!(error instanceof UsageError || error instanceof UnusableFileError)) throw error
  printError(cli.output, reportOf(error, cli.opened))
  return {
    ...{ file: file.name, content: null, state: 'unusable', already_imported: false, import_id: null },
    ...{
      rows_read: null,
      rows_sent: 0,
      skipped: null,
      first_lines: null,
      added: null,
      updated: null,
      failure: error.message,
    },
  }
}

/** The layer of the session's organization, over HTTP. */
function organizationTarget({ client, organization }: Session, field: PackedField): ImportTarget {
  return {
    begin: (content, digest) => client.call('beginImport', { organization, content, digest }),
    append: async (import_id, batch, packed) => {
      await client.call('appendToImport', { organization, import_id, batch, [field]: packed })
    },
    commit: (import_id, sent) => client.call('commitImport', { organization, import_id, ...sent }),
    show: (import_id) => client.call('showImport', { organization, import_id }),
    close: () => Promise.resolve(),
  }
}
