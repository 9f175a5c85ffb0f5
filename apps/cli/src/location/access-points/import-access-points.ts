import { verb } from '../../session/verb.js'
import { FORMATS } from '@bearing/files/access-points/formats'
import { VARIABLES } from '../../ground/environment.js'
import { accessPointSource } from './batch-source.js'
import { importAll, openTarget } from './import-all.js'
import { importFile, tryFile } from './import-one.js'
import { oneOf } from '../../ground/arguments.js'

verb('access-points import', {
  about: 'import access points from files',
  takes: {
    '<files...>':
      'WiGLE CSV, CSV with the columns bssid (or mac), lat and lon, wifis.csv of NeoStumbler, geosubmit JSON lines, GeoJSON; "-" is standard input',
    '--format <format>': oneOf('format of the files (default: detected)', FORMATS),
    '--dry-run': 'only read the files, and print what would be sent',
    '--shared': 'into the layer shared by all organizations; for operators, over NATS',
    '--nats-url <url>': `URL of NATS, for --shared [${VARIABLES.natsUrl}]`,
  },
  help: `Files may be gzipped. A file becomes visible as a whole. Imports are idempotent and resumable: run an interrupted
import again to continue it. With --shared, the seed of the operator's nkey comes from ${VARIABLES.natsNkeySeed}. Networks whose name ends in _nomap or has _optout in it are left out.`,
  examples: ['survey.csv'],
  run: async (cli, { files: paths, ...flags }) => {
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
  },
})
