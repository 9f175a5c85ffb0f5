import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { writeLines } from '../output/write-lines.js'
import { FORMATS, type Format } from './formats.js'
import { WRITERS } from './write-format.js'

/** `bearing access-points export` */
export function addExportAccessPoints(accessPoints: Command, cli: Cli): void {
  accessPoints
    .command('export')
    .description("write your organization's own access points")
    .addOption(new Option('--format <format>', 'what to write').choices(FORMATS).default('csv'))
    .option('--output <file>', 'a file, instead of standard output; it appears once all of it is there')
    .addHelpText(
      'after',
      `
Only what the organization has imported itself; never the shared access points. Every format can be imported again: with
csv, mls and geojson as positions, with wigle, geosubmit and neostumbler as one observation of each access point.`,
    )
    .action(async ({ format, output }: { readonly format: Format; readonly output?: string }) => {
      const { client, organization } = await cli.session()
      const { header, line, footer } = WRITERS[format]
      let written = 0
      const lines = async function* () {
        yield* header
        for await (const accessPoint of client.stream('exportAccessPoints', { organization }))
          yield line(accessPoint, written++ === 0)
        yield* footer
      }
      await writeLines(cli, output, lines())
      cli.output.done(
        `${counted(written, 'access point')} exported${output === undefined ? '' : ` to ${output}`}.`,
      )
    })
}
