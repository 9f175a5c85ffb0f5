import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { LIMIT } from '../ground/arguments.js'
import { readSince } from '../ground/times.js'
import { jsonLine } from '../ground/output/documents.js'
import { count, counted, second } from '../ground/output/format.js'
import { floorText } from './height.js'
import { UsageError } from '../ground/usage-error.js'

type Page = CallOutput<'listLatestPositions'>
type LatestPosition = Extract<Page, { data: unknown }>['data'][number]

/** Positions of one request. */
const PER_PAGE = 10_000
/** Rows of a table at most; documents have all. */
const MOST_ROWS = 10_000

interface Options {
  readonly limit?: number | undefined
  readonly bbox?: string | undefined
  readonly since?: string | undefined
  readonly geojson?: boolean | undefined
}

verb('positions latest', {
  about: 'list where all devices of a project were last',
  takes: {
    ...LIMIT,
    '--bbox <west,south,east,north>':
      'only in this box, in degrees; west is more than east across the antimeridian',
    '--since <time>': 'only positions since then: 2027-01-31, 2027-01-31T09:00:00Z, or 12h, 7d',
    '--geojson': 'print a GeoJSON FeatureCollection',
  },
  examples: ['--bbox=11.4,48.1,11.7,48.2 --since 12h --geojson > devices.geojson'],
  run: async (cli, options) => {
    if (options.geojson) await printFeatures(cli, options)
    else if (cli.output.forPrograms) await printDocument(cli, options)
    else await printTable(cli, options)
  },
})

/** Yields the pages of a list, of the last one only as much as the limit allows. */
async function* pages(
  cli: Cli,
  { bbox, since, limit = Infinity }: Options,
  format: 'json' | 'geojson',
): AsyncGenerator<Page> {
  if (bbox !== undefined && !/^[-+\d.]+(?:,[-+\d.]+){3}$/.test(bbox))
    throw new UsageError('--bbox must be west,south,east,north in degrees, such as 11.4,48.1,11.7,48.2.')
  const asked = {
    format,
    ...(bbox !== undefined && { bbox }),
    ...(since !== undefined && { since: readSince(since) }),
  }
  const { client, organization, project } = await cli.session()
  let cursor: string | null = null
  let left = limit
  do {
    const page: Page = await client.call('listLatestPositions', {
      ...{ organization, project, ...asked, per_page: Math.min(PER_PAGE, left) },
      ...(cursor !== null && { cursor }),
    })
    yield page
    left -= ('data' in page ? page.data : page.features).length
    cursor = page.next
  } while (cursor !== null && left > 0)
}

/** One document, written page by page: a project may have a million devices. */
async function printFeatures(cli: Cli, options: Options): Promise<void> {
  let separator = '{"type":"FeatureCollection","features":['
  for await (const page of pages(cli, options, 'geojson'))
    for (const feature of 'features' in page ? page.features : []) {
      cli.output.print(`${separator}${JSON.stringify(feature)}`)
      separator = ','
    }
  cli.output.print(separator === ',' ? ']}' : `${separator}]}`)
}

/** JSON is written page by page, as features are; the other documents are complete before they are written. */
async function printDocument(cli: Cli, options: Options): Promise<void> {
  const { output } = cli
  // A filter needs all of it.
  const isJson = output.format === 'json' && !output.filter
  const kept: LatestPosition[] = []
  let separator = '['
  for await (const page of pages(cli, options, 'json'))
    for (const position of 'data' in page ? page.data : []) {
      if (output.format === 'ndjson') output.line(position)
      else if (isJson) output.print(`${separator}${jsonLine(position)}`)
      else kept.push(position)
      separator = ','
    }
  if (isJson) output.print(separator === ',' ? ']' : '[]')
  else if (output.format !== 'ndjson') output.document(kept)
}

async function printTable(cli: Cli, options: Options): Promise<void> {
  const rows: LatestPosition[] = []
  let isWhole = true
  for await (const page of pages(cli, options, 'json')) {
    rows.push(...('data' in page ? page.data : []))
    isWhole = page.next === null
    if (rows.length >= MOST_ROWS) break
  }
  cli.output.table(
    rows,
    {
      Serial: 'device_serial',
      'Asked for': ({ resolved_at }) => second(resolved_at),
      Latitude: { right: ({ lat }) => lat.toFixed(6) },
      Longitude: { right: ({ lon }) => lon.toFixed(6) },
      Uncertainty: { right: ({ uncertainty }) => `${count(Math.round(uncertainty))} m` },
      ...(rows.some(({ floor }) => floor) && { Floor: floorText }),
      By: ({ fulfilledWith, fallback }) => (fallback ? `${fulfilledWith}, by the fallback` : fulfilledWith),
    },
    options.bbox === undefined && options.since === undefined
      ? 'No positions yet. Locate a device: bearing locate --device <serial> --ap <address>=<dBm>. Whether the project stores positions: bearing positions policy show'
      : 'No positions match. Give a larger box, or a longer time.',
  )
  if (!isWhole && rows.length < (options.limit ?? Infinity))
    cli.output.notice(
      `The first ${counted(rows.length, 'device')}. -o json, -o ndjson and --geojson print all.`,
    )
}
