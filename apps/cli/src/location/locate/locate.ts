import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { verb } from '../../session/verb.js'
import type { Cli } from '../../session/cli.js'
import { unreadable, UsageError } from '../../ground/usage-error.js'
import { explain } from './explain.js'
import { locateFile, locateOne } from './locate-with-options.js'
import { parseCell } from './parse-cell.js'
import { parseAccessPoint, parseScans, type Scan } from './parse-scans.js'
import { parsed, repeated } from '../../ground/arguments.js'

verb('locate', {
  takes: {
    '[file]':
      'scans, or requests as modems send them: a JSON object, a JSON array or JSON lines; "-" is standard input',
    '--ap <mac[=rssi[@age][,distance]]>': repeated(
      'an access point of one scan, if known with its signal strength in dBm, the milliseconds since it was received, and its measured distance in meters; repeatable',
      parseAccessPoint,
    ),
    '--cell <radio:mcc-mnc-tac-ci[:rsrp]>': repeated(
      'a radio cell, such as lte:262-1-7-9:-101; repeatable',
      parseCell,
    ),
    '--confidence <percent>': parsed(
      'percentage of circles that contain the true position: 50 to 99',
      confidenceOf,
    ),
    '-d, --device <serial>':
      'serial number of the device; its position is stored if the project stores positions',
    '--explain': 'show what the position comes from; nothing is stored',
  },
  help: `With --ap and --cell the result is one position (--json: an object). With a file it is one row for each scan (--json:
an array); a scan without a position is a row with its error, and the exit code is 1. Wi-Fi scans are sent in batches
of 100.`,
  examples: [
    '--ap 00:1a:2b:3c:4d:5e=-67 --ap 00:1a:2b:3c:4d:60=-71',
    '--cell lte:262-1-7-9:-101 --explain',
    'scans.jsonl -o ndjson',
  ],
  run: async (cli, { file, ap, cell, explain: explains = false, ...options }) => {
    if ((file === undefined) === (ap === undefined && cell === undefined))
      throw new UsageError(
        'Give either one scan with --ap and --cell, or a file with scans.',
        'See "bearing locate --help".',
      )
    const request = { ...(ap && { accessPoints: ap }), ...(cell && { cellTowers: cell }) }
    const scans = file === undefined ? undefined : parseScans(await readScans(cli, file))
    if (explains) await explain(cli, scans ? onlyOne(scans) : request, options)
    else if (scans) await locateFile(cli, scans, options)
    else await locateOne(cli, request, options)
  },
})

/** @throws UsageError for several: their explanations would fill pages */
function onlyOne([scan, ...others]: readonly Scan[]): Readonly<Record<string, unknown>> {
  if (!scan || others.length > 0) throw new UsageError('--explain takes one scan, and the file has several.')
  if ('mistake' in scan) throw new UsageError(scan.mistake)
  if ('groundFix' in scan) return scan.groundFix
  const { accessPoints, previousScans } = scan
  return { accessPoints, ...(previousScans && { previousScans }) }
}

function confidenceOf(text: string): number {
  const percent = Number(text)
  if (text.trim() === '' || !(percent >= 50 && percent <= 99))
    throw new UsageError('--confidence must be a number from 50 to 99, in percent.')
  return percent
}

async function readScans(cli: Cli, file: string): Promise<string> {
  if (file === '-') return text(cli.takeStdin('the scans'))
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, error)
  })
}
