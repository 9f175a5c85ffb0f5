import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isUsableBssid, parseMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import type { Reading, ScanSet, TrueScan } from './scan-set.js'

/**
 * Reads the sets and their splits, which have no random numbers (README.md beside the data).
 *
 * @param folder holds `uji`, `ipin2023` and `mall`
 */
export function readSets(folder: string): ScanSet[] {
  const uji = read(join(folder, 'uji'))
  const ipin = read(join(folder, 'ipin2023'))
  return [
    {
      name: 'UJI official',
      group: 'uji',
      folds: [{ train: uji.filter(isTrain), test: uji.filter((scan) => !isTrain(scan)) }],
    },
    {
      name: 'IPIN five folds',
      group: 'ipin',
      isTracked: true,
      folds: [0, 1, 2, 3, 4].map((fold) => ({
        train: ipin.filter((scan) => foldOf(scan) !== fold),
        test: ipin.filter((scan) => foldOf(scan) === fold),
      })),
    },
    {
      name: 'IPIN phone B→A',
      group: 'ipin',
      isTracked: true,
      folds: [
        {
          train: ipin.filter(({ device }) => device === 'B'),
          test: ipin.filter(({ device }) => device === 'A'),
        },
      ],
    },
    ...mallSets(read(join(folder, 'mall'))),
  ]
}

const isTrain = ({ track }: TrueScan) => track === 'train'
/** Trials are numbered; both directions of a walk are one trial. */
const foldOf = ({ track }: TrueScan) => Number(track.slice(0, 2)) % 5

/** Every fifth path is held out; of the others every one, every 4th or every 16th is learned from. */
function mallSets(scans: readonly TrueScan[]): ScanSet[] {
  const tracks = [...new Set(scans.map(({ track }) => track))].sort()
  const held = new Set(tracks.filter((_, index) => index % 5 === 0))
  const learned = tracks.filter((track) => !held.has(track))
  const test = scans.filter(({ track }) => held.has(track))
  return [1, 4, 16].map((every) => {
    const kept = new Set(learned.filter((_, index) => index % every === 0))
    const train = scans.filter(({ track }) => kept.has(track))
    const name = every === 1 ? 'mall' : `mall 1/${String(every)}`
    return { name, group: 'mall', isTracked: true, folds: [{ train, test }] }
  })
}

function read(folder: string): TrueScan[] {
  const readings = new Map<string, Reading[]>()
  for (const row of table(folder, '_obs.csv.gz')) {
    const bssid = parseMacAddress(row('bssid'))
    if (bssid === undefined || !isUsableBssid(bssid)) continue
    const list = readings.get(row('scan')) ?? []
    list.push({ bssid, signalDbm: Number(row('rssi')), ageMs: Number(row('age_ms')) })
    readings.set(row('scan'), list)
  }
  return table(folder, '_scans.csv.gz').map((row) => ({
    lat: Number(row('lat')),
    lon: Number(row('lon')),
    accuracyMeters: Number(row('acc_m')),
    seconds: Number(row('t')),
    floor: row('floor'),
    track: row('track'),
    device: row('device'),
    accessPoints: (readings.get(row('scan')) ?? []).filter(
      ({ signalDbm }) => signalDbm < 0 && signalDbm >= -110,
    ),
  }))
}

type Row = (column: string) => string

function table(folder: string, ending: string): Row[] {
  const file = readdirSync(folder).find((name) => name.endsWith(ending))
  if (file === undefined) throw new Error(`There is no file *${ending} in ${folder}.`)
  const text = gunzipSync(readFileSync(join(folder, file))).toString('utf8')
  const [head = '', ...lines] = text.trim().split(/\r?\n/)
  const columns = new Map(head.split(',').map((name, index) => [name, index]))
  return lines.map((line) => {
    const values = line.split(',')
    return (column) => values[columns.get(column) ?? -1] ?? ''
  })
}
