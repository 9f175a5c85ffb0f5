import { verb } from '../../session/verb.js'
import { importAll, openTarget, type TargetFlags } from '../access-points/import-all.js'
import { importFile, tryFile } from '../access-points/import-one.js'
import { VARIABLES } from '../../ground/environment.js'
import { FLAGS } from '../../ground/flags.js'
import { CELL_SOURCE } from './cell-source.js'

verb('cells import', { examples: ['cells.csv.gz'] }, (command, cli) =>
  command
    .description('import radio cells from files')
    .argument('<files...>', 'CSV cell files of Mozilla or OpenCelliD, plain or gzip; "-" is standard input')
    .option('--dry-run', 'only read the files, and print what would be sent')
    .option('--shared', 'into the layer shared by all organizations; for operators, over NATS')
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS, for --shared [${VARIABLES.natsUrl}]`)
    .addHelpText(
      'after',
      `
The columns are radio, mcc, net, area, cell, unit, lon, lat, range, samples, changeable, created, updated, averageSignal, with
a header or without one. An existing cell is replaced. A file becomes visible as a whole. Imports are
idempotent and resumable: run an interrupted import again to continue it. With --shared, the seed of the
operator's nkey comes from ${VARIABLES.natsNkeySeed}.`,
    )
    .action(async (paths: string[], flags: TargetFlags) => {
      if (flags.dryRun) {
        await importAll(cli, paths, (file) => tryFile(cli, file, CELL_SOURCE))
        return
      }
      const target = await openTarget(cli, flags, 'packed_cells')
      try {
        await importAll(cli, paths, (file) => importFile(cli, target, file, CELL_SOURCE))
      } finally {
        await target.close()
      }
    }),
)
