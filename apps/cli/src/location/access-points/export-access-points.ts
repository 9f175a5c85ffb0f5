import { FORMATS, type Format } from '@bearing/files/access-points/formats'
import { Option } from 'commander'
import { verb } from '../../session/verb.js'
import { counted } from '../../ground/output/format.js'
import { addOutputFlags, writeLines, type OutputFlags } from '../../session/write-lines.js'
import { WRITERS } from './write-format.js'

const SOURCES = ['imported', 'learned'] as const
type Source = (typeof SOURCES)[number]

interface ExportFlags extends OutputFlags {
  readonly format: Format
  readonly only?: Source
}

verb('access-points export', { examples: ['--format geojson --output own.geojson'] }, (command, cli) =>
  addOutputFlags(
    command
      .description("export your organization's access points")
      .addOption(new Option('--format <format>', 'output format').choices(FORMATS).default('csv'))
      .addOption(new Option('--only <source>', 'only imported ones, or only learned ones').choices(SOURCES)),
  )
    .addHelpText(
      'after',
      `
Only what the organization has imported itself, and what was learned from what it contributed; never the base layer. Where
an access point is both, it is written once, as look-ups take it: what was declared, else what more observations say. With --only all
of that source is written, whatever look-ups take. Every format can be imported again: with csv, mls and geojson as positions, which
nothing is learned over any more, with wigle, geosubmit and neostumbler as one observation of each access point.`,
    )
    .action(async ({ format, only, ...flags }: ExportFlags) => {
      const { client, organization } = await cli.session()
      const { header, line, footer } = WRITERS[format]
      let written = 0
      const lines = async function* () {
        yield* header
        for await (const accessPoint of client.stream('exportAccessPoints', { organization, only }))
          yield line(accessPoint, written++ === 0)
        yield* footer
      }
      const where = await writeLines(cli, flags, lines())
      cli.output.done(`${counted(written, 'access point')} exported${where}.`)
    }),
)
