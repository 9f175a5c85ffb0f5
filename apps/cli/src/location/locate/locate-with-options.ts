import type { Cli } from '../../session/cli.js'
import { reportOf } from '../../session/error-report.js'
import { count, counted } from '../../ground/output/format.js'
import { floorText, heightFacts } from '../height.js'
import { startProgress } from '../../ground/output/progress.js'
import { locateScans, type Located, type Location } from './locate-scans.js'
import type { HeardCell } from './parse-cell.js'
import type { GroundFix, HeardAccessPoint, Scan } from './parse-scans.js'

/** No progress bar for fewer scans. */
const PROGRESS_FROM = 20
const CONFIDENCE = 68

export interface LocateOptions {
  readonly confidence?: number | undefined
  readonly device?: string | undefined
}

/** One scan of the command line. */
export interface HeardTogether {
  readonly accessPoints?: HeardAccessPoint[]
  readonly cellTowers?: HeardCell[]
}

/** Returns the options as fields of a request; they replace those of a request as a modem sends it. */
function fieldsOf({ confidence, device }: LocateOptions) {
  return {
    ...(confidence !== undefined && { confidence }),
    ...(device !== undefined && { device_id: device }),
  }
}

/** Locates what was heard, by Wi-Fi, by cells, or by both. */
export async function locateOne(cli: Cli, heard: HeardTogether, options: LocateOptions): Promise<void> {
  const { client, organization, project } = await cli.session()
  const { accessPoints, cellTowers } = heard
  const request = { organization, project, ...fieldsOf(options) }
  const found = cellTowers
    ? accessPoints
      ? await client.call('resolveGroundFix', { ...request, accessPoints, cellTowers })
      : await client.call('resolveCellLocation', { ...request, cellTowers })
    : await client.call('resolveWifiLocation', { ...request, accessPoints: accessPoints ?? [] })
  if (!found) throw new Error('the reply contains no position')
  cli.output.record(
    {
      Latitude: degrees(found.lat),
      Longitude: degrees(found.lon),
      Uncertainty: `${count(Math.round(found.uncertainty))} m (${String(options.confidence ?? CONFIDENCE)} %)`,
      ...('accessPoints' in found && heightFacts(found)),
      ...('accessPoints' in found && { 'Access points': used(found.accessPoints) }),
      ...('cells' in found && { Cells: used(found.cells) }),
      ...(found.stored !== undefined && {
        Stored: found.stored ? 'yes' : 'no, the project does not store positions',
      }),
    },
    found,
  )
  if (found.stored === false) sayHowToStore(cli)
}

function sayHowToStore({ output }: Cli): void {
  output.say('To store the positions of devices: bearing positions policy set --store yes')
}

/** Formats how many of the sent ones were used, how many are unknown, and of how many the distance counted. */
export function used({
  received,
  used: some = 0,
  unknown = 0,
  ranged = 0,
}: {
  readonly received: number
  readonly used?: number | undefined
  readonly unknown?: number | undefined
  readonly ranged?: number | undefined
}) {
  const rest = [
    ...(unknown > 0 ? [`${count(unknown)} unknown`] : []),
    ...(ranged > 0 ? [`${count(ranged)} by distance`] : []),
  ]
  return [`${count(some)} of ${count(received)} used`, ...rest].join(', ')
}

/** Locates the scans of a file, and prints a row for each. */
export async function locateFile(cli: Cli, scans: readonly Scan[], options: LocateOptions): Promise<void> {
  const { client, organization, project } = await cli.session()
  const { output, terminal } = cli
  const fields = fieldsOf(options)
  const total = scans.length >= PROGRESS_FROM ? scans.length : 0
  using progress = total > 0 ? startProgress(output, 'Locating', total) : undefined
  const rows = await locateScans(scans, {
    resolveBatch: async (batch) => {
      const asked = batch.map((scan) => ({ ...scan, ...fields }))
      return (await client.call('resolveWifiBatch', { organization, project, scans: asked })).results
    },
    resolveGroundFix: async (request: GroundFix) => {
      // A reply is wanted, whatever the modem wants.
      const asked = { ...request, organization, project, reply: true, ...fields }
      const found = await client.call('resolveGroundFix', withReply(asked))
      if (!found) throw new Error('the reply contains no position')
      return found
    },
    report: (error) => reportOf(error, cli.opened),
    signal: terminal.signal,
    onProgress: (done, found) => progress?.update(done, `${count(found)} of ${counted(done, 'scan')} found`),
  })
  print(cli, rows)
}

function withReply<Request extends object>(request: Request): Request {
  const config = 'config' in request ? request.config : undefined
  return typeof config === 'object' && config !== null
    ? { ...request, config: { ...config, doReply: true } }
    : request
}

function print(cli: Cli, rows: readonly Located[]): void {
  const { output } = cli
  const failed = rows.filter((row) => 'error' in row).length
  const hasCells = rows.some((row) => 'cells' in row)
  const hasFloors = rows.some((row) => 'floor' in row)
  output.table(
    rows,
    {
      Scan: { right: ({ scan }) => String(scan) },
      Latitude: { right: position(({ lat }) => degrees(lat)) },
      Longitude: { right: position(({ lon }) => degrees(lon)) },
      Uncertainty: { right: position(({ uncertainty }) => `${count(Math.round(uncertainty))} m`) },
      ...(hasFloors && { Floor: position(floorText) }),
      ...(hasCells && { By: position(({ fulfilledWith }) => fulfilledWith) }),
      'Access points': { right: position(({ accessPoints }) => used(accessPoints)) },
      ...(failed > 0 && { Error: errorOf }),
    },
    null,
  )
  if (failed > 0) {
    cli.exitCode = 1
    output.notice(`${count(failed)} of ${counted(rows.length, 'scan')} without a position.`)
  }
}

function position(cell: (location: Location) => string): (row: Located) => string {
  return (row) => ('error' in row ? '–' : cell(row))
}

function errorOf(row: Located): string {
  if (!('error' in row)) return ''
  const { message, errors = [], request_id } = row.error
  const mistakes = errors.map(({ pointer, detail }) => ` ${pointer} ${detail};`).join('')
  return `${message}${mistakes}${request_id === undefined ? '' : ` (request ${request_id})`}`
}

/** Six decimals are 0.1 m. */
function degrees(value: number): string {
  return value.toFixed(6)
}
