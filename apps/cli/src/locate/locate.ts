import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { reportOf } from '../error-report.js'
import { count, counted } from '../output/format.js'
import { startProgress } from '../output/progress.js'
import { UsageError } from '../usage-error.js'
import { locateScans, type Located, type Location } from './locate-scans.js'
import { parseAccessPoint, parseScans, type HeardAccessPoint, type Scan } from './parse-scans.js'

/** No progress bar for fewer scans. */
const PROGRESS_FROM = 20

export function addLocate(program: Command, cli: Cli): void {
  program
    .command('locate')
    .description('turn Wi-Fi scans into positions')
    .argument('[file]', 'scans: a JSON object, a JSON array or JSON lines; "-" is standard input')
    .option<HeardAccessPoint[]>(
      '--ap <mac=rssi>',
      'an access point of one scan, repeatable',
      (value, before: HeardAccessPoint[] | undefined) => [...(before ?? []), parseAccessPoint(value)],
    )
    .option(
      '--confidence <percent>',
      'percentage of circles that contain the true position: 50 to 99',
      confidenceOf,
    )
    .option(
      '--device <serial>',
      'serial number of the device; its position is stored if the project stores positions',
    )
    .addHelpText(
      'after',
      `
With --ap the result is one position (--json: an object). With a file it is one row for each scan (--json: an
array); a scan without a position is a row with its error, and the exit code is 1.

  bearing locate --ap 00:1a:2b:3c:4d:5e=-67 --ap 00:1a:2b:3c:4d:60=-71`,
    )
    .action(async (file: string | undefined, { ap, confidence = 68, device }: Options) => {
      if ((file === undefined) === (ap === undefined))
        throw new UsageError(
          'Give either one scan with --ap, or a file with scans.',
          'See "bearing locate --help".',
        )
      if (ap) await locateOne(cli, ap, confidence, device)
      else await locateFile(cli, parseScans(await readScans(cli, file ?? '-')), confidence, device)
    })
}

interface Options {
  readonly ap?: HeardAccessPoint[]
  readonly confidence?: number
  readonly device?: string
}

function confidenceOf(text: string): number {
  const percent = Number(text)
  if (text.trim() === '' || !(percent >= 50 && percent <= 99))
    throw new UsageError('--confidence must be a number from 50 to 99, in percent.')
  return percent
}

/** Locates a scan in the project of the session. */
async function resolver(cli: Cli, confidence: number, device: string | undefined) {
  const { client, organization, project } = await cli.session()
  return async (accessPoints: HeardAccessPoint[]): Promise<Location> => {
    const named = device === undefined ? {} : { device_id: device }
    const scan = { organization, project, accessPoints, confidence, ...named }
    const found = await client.call('resolveWifiLocation', scan)
    if (!found) throw new Error('the reply contains no position')
    return found
  }
}

async function locateOne(
  cli: Cli,
  accessPoints: HeardAccessPoint[],
  confidence: number,
  device: string | undefined,
): Promise<void> {
  const resolve = await resolver(cli, confidence, device)
  const found = await resolve(accessPoints)
  cli.output.record(
    {
      Latitude: degrees(found.lat),
      Longitude: degrees(found.lon),
      Uncertainty: `${count(Math.round(found.uncertainty))} m (${String(confidence)} %)`,
      'Access points': accessPointsOf(found),
      ...(found.stored !== undefined && {
        Stored: found.stored ? 'yes' : 'no, the project does not store positions',
      }),
    },
    found,
  )
}

/** Formats how many of the sent ones were used. */
function accessPointsOf({ accessPoints: { received, used = 0 } }: Location): string {
  return `${count(used)} of ${count(received)} used`
}

async function locateFile(
  cli: Cli,
  scans: readonly Scan[],
  confidence: number,
  device: string | undefined,
): Promise<void> {
  const resolve = await resolver(cli, confidence, device)
  const { output, terminal } = cli
  const total = scans.length >= PROGRESS_FROM ? scans.length : 0
  const progress = total > 0 ? startProgress(output, 'Locating', total, terminal.stderr) : undefined
  const rows = await locateScans(scans, {
    resolve,
    report: (error) => reportOf(error, cli.opened),
    signal: terminal.signal,
    onProgress: (done, found) => progress?.update(done, `${count(found)} of ${counted(done, 'scan')} found`),
  }).finally(() => progress?.stop())
  const failed = rows.filter((row) => 'error' in row).length
  output.table(rows, [
    ['Scan', ({ scan }) => String(scan), 'right'],
    ['Latitude', position(({ lat }) => degrees(lat)), 'right'],
    ['Longitude', position(({ lon }) => degrees(lon)), 'right'],
    ['Uncertainty', position(({ uncertainty }) => `${count(Math.round(uncertainty))} m`), 'right'],
    ['Access points', position(accessPointsOf), 'right'],
    ...(failed > 0 ? [['Error', errorOf] as const] : []),
  ])
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

async function readScans(cli: Cli, file: string): Promise<string> {
  if (file === '-') return text(cli.takeStdin('the scans'))
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // what node:fs throws
    throw new UsageError(`${file} cannot be read (${code ?? 'unknown error'}).`)
  }
}
