import { isUsableBssid, parseMacAddress } from '@bearing/contracts/location/mac-address'
import type { Contribution, Reading } from '@bearing/positioning/learning/contribution'
import { cutRecords } from '@bearing/client/access-point-files/cut-records'
import { number, reportsIn, text, type Report } from '@bearing/client/access-point-files/geosubmit'
import type { ImportFile } from '../access-points/import-file.js'
import { openPieces, type Reader } from '../access-points/read-rows.js'
import { signalStrength, type RowReader } from '@bearing/client/access-point-files/row-reader'
import { MAX_ACCURACY_METERS } from '@bearing/client/access-point-files/skipped'
import { withoutOptedOut } from '../access-points/without-opted-out.js'
import { UsageError } from '../usage-error.js'

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
  const { opened, pieces } = await openPieces(file, { bytes: 0 }, how)
  const { reader, headerLines } = opened
  const scans: Contribution[] = []
  if (reader.content === 'positions')
    throw new UsageError(
      `${file.name} contains positions of access points, not scans.`,
      'Use scans with known positions: geosubmit JSON lines, WiGLE CSV, or wifis.csv of NeoStumbler.',
    )
  const walk = 'read' in reader ? new Walk(reader, scans) : undefined
  let header = headerLines
  for await (const lines of cutRecords(opened, pieces, file.name)) {
    for (const line of lines.slice(header))
      if (walk) walk.add(line)
      else if (line.trim() !== '') scans.push(...reportsIn(line).flatMap(scanOf))
    header = Math.max(0, header - lines.length)
  }
  walk?.end()
  if (scans.length === 0) throw new UsageError(`${file.name} has no scan with a known position.`)
  return scans
}

/** Groups the rows of a CSV file into scans. */
class Walk {
  private place: { readonly lat: number; readonly lon: number } | undefined
  private readings = new Map<number, Reading>()

  constructor(
    private readonly reader: RowReader,
    private readonly scans: Contribution[],
  ) {}

  add(line: string): void {
    const reading = this.reader.read(line)
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
