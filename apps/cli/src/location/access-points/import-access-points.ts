import { verb } from '../../session/verb.js'
import { FORMATS, type Format } from '@bearing/files/access-points/formats'
import { Option } from 'commander'
import { FLAGS } from '../../ground/flags.js'
import { VARIABLES } from '../../ground/environment.js'
import { accessPointSource } from './batch-source.js'
import { importAll, openTarget, type TargetFlags } from './import-all.js'
import { importFile, tryFile } from './import-one.js'

interface ImportFlags extends TargetFlags {
  readonly format?: Format
}

verb('access-points import', { examples: ['survey.csv'] }, (command, cli) =>
  command
    .description('import access points from files')
    .argument(
      '<files...>',
      'WiGLE CSV, CSV with the columns bssid (or mac), lat and lon, wifis.csv of NeoStumbler, geosubmit JSON lines, GeoJSON; "-" is standard input',
    )
    .addOption(new Option('--format <format>', 'format of the files (default: detected)').choices(FORMATS))
    .option('--dry-run', 'only read the files, and print what would be sent')
    .option('--shared', 'into the layer shared by all organizations; for operators, over NATS')
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS, for --shared [${VARIABLES.natsUrl}]`)
    .addHelpText(
      'after',
      `
Files may be gzipped. A file becomes visible as a whole. Imports are idempotent and resumable: run an interrupted
import again to continue it. With --shared, the seed of the operator's nkey comes from ${VARIABLES.natsNkeySeed}. Networks whose name ends in _nomap or has _optout in it are left out.`,
    )
    .action(async (paths: string[], flags: ImportFlags) => {
      const source = accessPointSource(flags.format)
      if (flags.dryRun) {
        await importAll(cli, paths, (file) => tryFile(cli, file, source))
        return
      }
      const target = await openTarget(cli, flags, 'packed')
      try {
        await importAll(cli, paths, (file) => importFile(cli, target, file, source))
      } finally {
        await target.close()
      }
    }),
)
