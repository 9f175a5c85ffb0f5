import type { KnownCell } from '@bearing/contracts/location/cells/known-cell'
import { COLUMNS } from '@bearing/files/cells/cell-rows'
import { oneOf } from '../../ground/arguments.js'
import { verb } from '../../session/verb.js'
import { exportItems, OUTPUT_FLAGS } from '../../session/write-lines.js'

const SOURCES = ['imported', 'learned'] as const

verb('cells export', {
  about: "export your organization's radio cells as CSV",
  takes: { '--only <source>': oneOf('only imported cells, or only learned cells', SOURCES), ...OUTPUT_FLAGS },
  help: `Only what the organization has imported itself, or what was learned from what it contributed; never the shared cells. Where a cell is
both it is written once, as look-ups take it: as more observations say. The columns are those of public files of cells, so it can be
imported again; "changeable" is 1 where a cell was learned.`,
  examples: ['--output cells.csv'],
  run: async (cli, { only, ...flags }) => {
    const { client, organization } = await cli.session()
    const cells = async function* () {
      for await (const cell of client.stream('exportCells', { organization }))
        if (only === undefined || (only === 'learned') === cell.learned) yield cell
    }
    await exportItems(cli, flags, 'radio cell', cells(), { header: [COLUMNS.join()], line: lineOf })
  },
})

function lineOf({ radioType, lat, lon, range, samples, learned, updated_at, ...cell }: KnownCell): string {
  const at = Math.floor(Date.parse(updated_at) / 1_000)
  const radio = { gsm: 'GSM', wcdma: 'UMTS', lte: 'LTE', nr: 'NR' }[radioType]
  const { mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId } = cell
  const key = [radio, mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId, ''].join()
  return `${key},${lon.toFixed(7)},${lat.toFixed(7)},${String(Math.round(range))},${String(samples)},${learned ? '1' : '0'},${String(at)},${String(at)},0`
}
