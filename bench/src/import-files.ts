import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { mac } from './access-points.js'

/** Rows of one write. */
const PIECE = 10_000

export interface ImportKind {
  readonly title: string
  readonly rows: number
  /** How many different access points the rows are of. */
  readonly accessPoints: number
  readonly header: string
  /** The columns of a table that takes the rows as they are. */
  readonly columns: string
  readonly line: (row: Row) => string
}

interface Row {
  readonly bssid: number
  readonly lat: string
  readonly lon: string
  readonly dbm: number
}

/** The same rows as several files. */
export interface ImportFiles {
  /** What an organization has; its header lines are left out of `rows`. */
  readonly exported: string
  readonly rows: string
  /** Numbers alone: address, latitude, longitude, dBm. */
  readonly numbers: string
  /** Where each row is another access point: as `access_points` has them, in the order of their addresses. */
  readonly ready?: string
}

/** The columns of {@link ImportFiles.ready}. */
export const READY_COLUMNS =
  'bssid, lat, lon, spread, weight, observations, organization_id, declared, updated_at'

export const OBSERVATIONS: ImportKind = {
  title: 'observations of 100,000 access points, from WiGLE CSV',
  rows: 1_000_000,
  accessPoints: 100_000,
  header:
    'WigleWifi-1.4,appRelease=1\nMAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type\n',
  columns:
    'mac macaddr, ssid text, auth_mode text, first_seen timestamp, channel int, rssi int, lat float8, lon float8, altitude float8, accuracy float8, type text',
  line: ({ bssid, lat, lon, dbm }) =>
    `${mac(bssid)},a network,[WPA2-PSK-CCMP][ESS],2026-03-01 12:00:00,6,${String(dbm)},${lat},${lon},520,6,WIFI\n`,
}

export const POSITIONS: ImportKind = {
  title: 'positions, each of another access point, from CSV',
  rows: 1_000_000,
  accessPoints: 1_000_000,
  header: 'bssid,lat,lon\n',
  columns: 'bssid macaddr, lat float8, lon float8',
  line: ({ bssid, lat, lon }) => `${mac(bssid)},${lat},${lon}\n`,
}

/**
 * Writes rows to files of a folder.
 *
 * @param first the first address; each access point is 16 further than the last, a radio of its own
 */
export async function writeImportFiles(
  folder: string,
  kind: ImportKind,
  first: number,
): Promise<ImportFiles> {
  const name = first.toString(16)
  const files = {
    exported: join(folder, `${name}.csv`),
    rows: join(folder, `${name}.rows`),
    numbers: join(folder, `${name}.numbers`),
  }
  await pipeline(linesOf(kind, first, kind.line, kind.header), createWriteStream(files.exported))
  await pipeline(linesOf(kind, first, kind.line), createWriteStream(files.rows))
  const numbers = ({ bssid, lat, lon, dbm }: Row) => `${[bssid, lat, lon, dbm].join()}\n`
  await pipeline(linesOf(kind, first, numbers), createWriteStream(files.numbers))
  if (kind.accessPoints < kind.rows) return files
  const ready = join(folder, `${name}.ready`)
  const stored = ({ bssid, lat, lon }: Row) =>
    `${[bssid, lat, lon].join()},0,0,1,01234567-0123-7123-8123-0123456789ab,true,2026-03-01 12:00:00Z\n`
  await pipeline(linesOf(kind, first, stored, '', inOrder), createWriteStream(ready))
  return { ...files, ready }
}

function* linesOf(
  kind: ImportKind,
  first: number,
  line: ImportKind['line'],
  header = '',
  numberOf = mixed,
): Generator<string> {
  yield header
  for (let at = 0; at < kind.rows; at += PIECE)
    yield Array.from({ length: PIECE }, (_, index) => {
      const number = numberOf(at + index, kind.accessPoints)
      return line(rowOf(first, at + index, number))
    }).join('')
}

/** Access points in no order, as files have them. */
const mixed = (index: number, accessPoints: number) => (index * 7_919) % accessPoints
const inOrder = (index: number) => index

/** A row of the access point of this number, around a place of its own. */
function rowOf(first: number, index: number, number: number): Row {
  return {
    bssid: first + number * 16,
    lat: (45 + (number % 1_000) * 2e-4 + (index % 97) * 1e-6).toFixed(7),
    lon: (5 + Math.floor(number / 1_000) * 2e-4 + (index % 89) * 1e-6).toFixed(7),
    dbm: -45 - (index % 45),
  }
}
