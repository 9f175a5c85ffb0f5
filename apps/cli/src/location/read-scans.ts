import { isUsableBssid, parseMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import type { Contribution, Reading } from '@bearing/positioning/learning/evidence/contribution'
import { readAccessPoints } from '@bearing/files/access-points/read-access-points'
import { readJsonLines, readMembers } from '@bearing/files/json/read-json'
import { number, reportsIn, text, type Report } from '@bearing/files/access-points/geosubmit'
import { signalStrength, type Reading as FileReading } from '@bearing/files/access-points/check-row'
import { MAX_ACCURACY_METERS } from '@bearing/files/access-points/skipped'
import type { ImportFile } from './access-points/import-file.js'
import { openRecords, type Reader } from './access-points/read-rows.js'
import { withoutOptedOut } from './access-points/without-opted-out.js'
import { UsageError } from '../ground/usage-error.js'

/** Accuracy of positions that contain none, in meters: that of a phone outdoors. */
const USUAL_ACCURACY_METERS = 10
/** Time of scans that contain none: the same for all, so that nothing seems to move. */
const SOME_SECONDS = 1_577_836_800

/**
 * Reads the scans with known positions of a file, in order. In CSV, consecutive rows at one position are a scan.
 *
 * @throws UsageError if it contains none, or as `readRows`
 */
export async function readScans(file: ImportFile, how: Reader): Promise<Contribution[]> {
  const { opened, chunks } = await openRecords(file, { bytes: 0 }, how)
  const { reader } = opened
  const scans: Contribution[] = []
  if (reader.content === 'positions')
    throw new UsageError(
      `${file.name} contains positions of access points, not scans.`,
      'Use scans with known positions: geosubmit JSON lines, WiGLE CSV, or wifis.csv of NeoStumbler.',
    )
  if ('read' in reader) {
    const walk = new Walk(scans)
    for await (const records of readAccessPoints(opened, chunks, file.name))
      for (const { reading } of records) walk.add(reading)
    walk.end()
  } else {
    const { records } = reader
    for await (const found of records === 'lines'
      ? readJsonLines(chunks)
      : readMembers(chunks, records, file.name))
      for (const record of found) scans.push(...reportsIn(record).flatMap(scanOf))
  }
  if (scans.length === 0) throw new UsageError(`${file.name} has no scan with a known position.`)
  return scans
}

/** Groups the rows of a CSV file into scans. */
class Walk {
  private place: { readonly lat: number; readonly lon: number } | undefined
  private readings = new Map<number, Reading>()

  constructor(private readonly scans: Contribution[]) {}

  add(reading: FileReading): void {
    if (typeof reading !== 'object') return
    const [bssid, lat, lon, signalDbm] = reading
    if (signalDbm === null) return
    if (lat !== this.place?.lat || lon !== this.place.lon) this.end()
    this.place = { lat, lon }
    this.readings.set(bssid, { bssid, signalDbm })
  }

  end(): void {
    if (this.place && this.readings.size > 0)
      this.scans.push({
        ...this.place,
        accuracyMeters: USUAL_ACCURACY_METERS,
        atSeconds: SOME_SECONDS,
        readings: [...this.readings.values()],
      })
    this.readings = new Map()
  }
}

function scanOf(report: Report | 'malformed'): Contribution[] {
  if (report === 'malformed') return []
  const { latitude, longitude, accuracy, speed } = report.position
  const [lat, lon] = [number(latitude), number(longitude)]
  const accuracyMeters = typeof accuracy === 'number' && accuracy > 0 ? accuracy : USUAL_ACCURACY_METERS
  const readings = new Map(
    withoutOptedOut(report.accessPoints)
      .flatMap(readingOf)
      .map((reading) => [reading.bssid, reading]),
  )
  const isUsable = Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && (lat !== 0 || lon !== 0)
  if (!isUsable || accuracyMeters > MAX_ACCURACY_METERS || readings.size === 0) return []
  return [
    {
      ...{ lat, lon, accuracyMeters },
      atSeconds: report.timestamp === undefined ? SOME_SECONDS : report.timestamp / 1_000,
      ...(typeof speed === 'number' && speed >= 0 && { speedMetersPerSecond: speed }),
      readings: [...readings.values()],
    },
  ]
}

function readingOf(accessPoint: Report['accessPoints'][number]): Reading[] {
  const bssid = parseMacAddress(text(accessPoint['macAddress']).trim())
  const signalDbm = signalStrength(number(accessPoint['signalStrength']))
  if (bssid === undefined || !isUsableBssid(bssid) || signalDbm === null) return []
  const age = accessPoint['age']
  return [{ bssid, signalDbm, ...(typeof age === 'number' && age >= 0 && { ageMs: age }) }]
}
