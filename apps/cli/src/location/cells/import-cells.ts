import { verb } from '../../session/verb.js'
import { importAll, openTarget } from '../access-points/import-all.js'
import { importFile, tryFile } from '../access-points/import-one.js'
import { VARIABLES } from '../../ground/environment.js'
import { CELL_SOURCE } from './cell-source.js'

verb('cells import', {
  about: 'import radio cells from files',
  takes: {
    '<files...>': 'CSV cell files of Mozilla or OpenCelliD, plain or gzip; "-" is standard input',
    '--dry-run': 'only read the files, and print what would be sent',
    '--shared': 'into the layer shared by all organizations; for operators, over NATS',
    '--nats-url <url>': `URL of NATS, for --shared [${VARIABLES.natsUrl}]`,
  },
  help: `The columns are radio, mcc, net, area, cell, unit, lon, lat, range, samples, changeable, created, updated, averageSignal, with
a header or without one. An existing cell is replaced. A file becomes visible as a whole. Imports are
idempotent and resumable: run an interrupted import again to continue it. With --shared, the seed of the
operator's nkey comes from ${VARIABLES.natsNkeySeed}.`,
  examples: ['cells.csv.gz'],
  run: async (cli, { files: paths, ...flags }) => {
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
  },
})
