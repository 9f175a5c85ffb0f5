import { FORMATS } from '@bearing/files/access-points/formats'
import { oneOf } from '../../ground/arguments.js'
import { verb } from '../../session/verb.js'
import { exportItems, OUTPUT_FLAGS } from '../../session/write-lines.js'
import { WRITERS } from './write-format.js'

const SOURCES = ['imported', 'learned'] as const
verb('access-points export', {
  about: "export your organization's access points",
  takes: {
    '--format <format>': { ...oneOf('output format', FORMATS), initial: 'csv' },
    '--only <source>': oneOf('only imported ones, or only learned ones', SOURCES),
    ...OUTPUT_FLAGS,
  },
  help: `Only what the organization has imported itself, and what was learned from what it contributed; never the base layer. Where
an access point is both, it is written once, as look-ups take it: what was declared, else what more observations say. With --only all
of that source is written, whatever look-ups take. Every format can be imported again: with csv, mls and geojson as positions, which
nothing is learned over any more, with wigle, geosubmit and neostumbler as one observation of each access point.`,
  examples: ['--format geojson --output own.geojson'],
  run: async (cli, { format, only, ...flags }) => {
    const { client, organization } = await cli.session()
    const accessPoints = client.stream('exportAccessPoints', { organization, only })
    await exportItems(cli, flags, 'access point', accessPoints, WRITERS[format])
  },
})
