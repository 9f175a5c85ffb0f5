import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { FLAGS } from '../flags.js'
import { VARIABLES } from '../environment.js'
import { UsageError } from '../usage-error.js'
import { openImportFile, spoolStdin, type ImportFile } from './import-file.js'
import { importFile, type Imported } from './import-one.js'
import type { ImportTarget } from './import-target.js'
import { organizationTarget } from './organization-target.js'
import { printSummary } from './print-summary.js'

interface ImportFlags {
  readonly shared?: boolean
  readonly natsUrl?: string
}

/** `bearing access-points import` */
export function addImportAccessPoints(accessPoints: Command, cli: Cli): void {
  accessPoints
    .command('import')
    .description('import access points from files')
    .argument(
      '<files...>',
      'WiGLE CSV exports, or CSV with the columns bssid, lat and lon; "-" is standard input',
    )
    .option('--shared', 'into the layer that all organizations share; for operators, over NATS')
    .option(`${FLAGS.natsUrl} <url>`, `address of NATS, for --shared [${VARIABLES.natsUrl}]`)
    .addHelpText(
      'after',
      `
Files may be gzipped. Nothing of a file is visible before all of it has arrived, and importing the same file twice
does no harm. With --shared, the seed of the operator's nkey is taken from ${VARIABLES.natsNkeySeed}. Networks whose name ends in _nomap or has _optout in it are left out.`,
    )
    .action(async (paths: string[], flags: ImportFlags) => {
      const target = await openTarget(cli, flags)
      try {
        await importAll(cli, target, paths)
      } finally {
        await target.close()
      }
    })
}

async function openTarget(cli: Cli, { shared, natsUrl }: ImportFlags): Promise<ImportTarget> {
  if (!shared) return organizationTarget(await cli.session())
  const { settings } = cli.terminal.environment
  const url = natsUrl ?? settings.natsUrl
  if (!url) throw new UsageError(`--shared needs ${FLAGS.natsUrl} or ${VARIABLES.natsUrl}.`)
  // Loaded here because no other command speaks NATS.
  const { sharedTarget } = await import('./shared-target.js')
  return sharedTarget({ url, nkeySeed: settings.natsNkeySeed }, cli.terminal.now)
}

async function importAll(cli: Cli, target: ImportTarget, paths: readonly string[]): Promise<void> {
  const { signal } = cli.terminal
  const files: ImportFile[] = []
  const done: Imported[] = []
  try {
    // All of them first: a mistyped name is told before anything is sent.
    for (const path of paths)
      files.push(
        await (path === '-' ? spoolStdin(cli.takeStdin('the file'), signal) : openImportFile(path, signal)),
      )
    for (const file of files) done.push(await importFile(cli, target, file))
  } catch (error) {
    if (!cli.output.json && done.length > 0) printSummary(cli.output, done)
    throw error
  } finally {
    await Promise.all(files.map((file) => file.remove()))
  }
  printSummary(cli.output, done)
  if (done.some(({ state }) => state === 'failed')) cli.exitCode = 1
}
