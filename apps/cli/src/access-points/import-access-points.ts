import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { FLAGS } from '../flags.js'
import { VARIABLES } from '../environment.js'
import { UsageError } from '../usage-error.js'
import { FORMATS, type Format } from './formats.js'
import { openImportFile, spoolStdin, type ImportFile } from './import-file.js'
import { importFile, tryFile, type Imported } from './import-one.js'
import type { ImportTarget } from './import-target.js'
import { organizationTarget } from './organization-target.js'
import { printSummary } from './print-summary.js'

interface ImportFlags {
  readonly format?: Format
  readonly dryRun?: boolean
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
      'WiGLE CSV, CSV with the columns bssid (or mac), lat and lon, wifis.csv of NeoStumbler, geosubmit JSON lines, GeoJSON; "-" is standard input',
    )
    .addOption(new Option('--format <format>', 'what the files are; found out unless given').choices(FORMATS))
    .option('--dry-run', 'only read the files, and say what would be sent')
    .option('--shared', 'into the layer that all organizations share; for operators, over NATS')
    .option(`${FLAGS.natsUrl} <url>`, `address of NATS, for --shared [${VARIABLES.natsUrl}]`)
    .addHelpText(
      'after',
      `
Files may be gzipped. Nothing of a file is visible before all of it has arrived, importing the same file twice does
no harm, and an import that was interrupted goes on where it stopped. With --shared, the seed of the operator's nkey is taken from ${VARIABLES.natsNkeySeed}. Networks whose name ends in _nomap or has _optout in it are left out.`,
    )
    .action(async (paths: string[], flags: ImportFlags) => {
      if (flags.dryRun) {
        await importAll(cli, paths, (file) => tryFile(cli, file, flags.format))
        return
      }
      const target = await openTarget(cli, flags)
      try {
        await importAll(cli, paths, (file) => importFile(cli, target, file, flags.format))
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

async function importAll(
  cli: Cli,
  paths: readonly string[],
  importOne: (file: ImportFile) => Promise<Imported>,
): Promise<void> {
  const { signal } = cli.terminal
  const files: ImportFile[] = []
  const done: Imported[] = []
  try {
    // All of them first: a mistyped name is told before anything is sent.
    for (const path of paths)
      files.push(
        await (path === '-' ? spoolStdin(cli.takeStdin('the file'), signal) : openImportFile(path, signal)),
      )
    for (const file of files) done.push(await importOne(file))
  } catch (error) {
    if (!cli.output.json && done.length > 0) printSummary(cli.output, done)
    throw error
  } finally {
    await Promise.all(files.map((file) => file.remove()))
  }
  printSummary(cli.output, done)
  if (done.some(({ state }) => state === 'failed')) cli.exitCode = 1
}
