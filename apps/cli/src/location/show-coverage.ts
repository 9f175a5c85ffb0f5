import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../session/verb.js'
import { count, counted } from '../ground/output/format.js'
import { UsageError } from '../ground/usage-error.js'

type Cell = CallOutput<'showCoverage'>['cells'][number]

/** Cells of the table; --json prints all. */
const MOST_ROWS = 50

verb('location coverage show', {
  about: "show where the organization's own access points are, as a grid",
  takes: {
    '--bbox <west,south,east,north>':
      'only in this box, in degrees; west is more than east across the antimeridian',
    '--zoom <zoom>': 'zoom of a map, 0 to 22: larger is finer (default: as fine as possible)',
  },
  help: `Boxes with more than about 200,000 access points are counted from a sample.`,
  examples: ['--bbox=11.4,48.1,11.7,48.2 --json'],
  run: async (cli, { bbox, zoom }) => {
    if (bbox !== undefined && !/^[-+\d.]+(?:,[-+\d.]+){3}$/.test(bbox))
      throw new UsageError('--bbox must be west,south,east,north in degrees, such as 11.4,48.1,11.7,48.2.')
    if (zoom !== undefined && !/^(?:\d|1\d|2[0-2])$/.test(zoom))
      throw new UsageError('--zoom must be a whole number from 0 to 22.')
    const { client, organization } = await cli.session()
    const coverage = await client.call('showCoverage', {
      organization,
      ...(bbox !== undefined && { bbox }),
      ...(zoom !== undefined && { zoom: Number(zoom) }),
    })
    const { cells, total, sampled } = coverage
    const shown = [...cells].sort((a, b) => b.access_points - a.access_points).slice(0, MOST_ROWS)
    cli.output.table(
      shown,
      {
        Box: boxText,
        'Access points': 'access_points',
        Learned: 'learned',
        Moving: 'moving',
        'Median spread': {
          right: ({ median_spread: m }) => (m === null ? '–' : `${count(Math.round(m))} m`),
        },
        'Median change': ({ median_updated_at }) => median_updated_at.slice(0, 10),
      },
      'No access points there. Import some: bearing access-points import <file>',
      coverage,
    )
    if (cli.output.forPrograms) return
    cli.output.print('')
    cli.output.print(
      `${counted(total.access_points, 'access point')} in ${counted(cells.length, 'cell')}${sampled > 1 ? ', estimated from a sample' : ''}.`,
    )
    if (shown.length < cells.length)
      cli.output.notice(`These are the ${String(MOST_ROWS)} fullest cells. --json prints all.`)
  },
})

function boxText({ west, south, east, north }: Cell): string {
  return [west, south, east, north].map((degrees) => degrees.toFixed(4)).join(',')
}
