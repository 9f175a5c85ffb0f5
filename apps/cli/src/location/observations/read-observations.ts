import type { SightingReading } from '@bearing/files/access-points/check-row'
import { openFormat, ROWS } from '@bearing/files/access-points/formats'
import { reportsIn, type Report } from '@bearing/files/access-points/geosubmit'
import { SightingScans } from '@bearing/files/access-points/sightings'
import { cellSightings } from '@bearing/files/cells/cell-sightings'
import { firstRow } from '@bearing/files/csv/first-row'
import { readCsv } from '@bearing/files/csv/read-csv'
import { readJsonLines, readMembers } from '@bearing/files/json/read-json'
import type { ImportFile } from '../access-points/import-file.js'
import { openText } from '../access-points/read-rows.js'
import { UsageError } from '../../ground/usage-error.js'
import { LEFT_OUT, observationOf, type LeftOut, type Observation } from './observation-of.js'

/** Counts the bytes read of a file, and its observations. */
export class ObservationTally {
  bytes = 0
  observations = 0
  readonly leftOut: Record<LeftOut, number>

  constructor() {
    // The keys of LEFT_OUT are the reasons; Object.fromEntries widens them.
    this.leftOut = Object.fromEntries(
      Object.keys(LEFT_OUT).map((reason) => [reason, 0]),
    ) as ObservationTally['leftOut']
  }

  /** Counts an observation. @returns the observation to send */
  count(observation: Observation | LeftOut): Observation[] {
    this.observations++
    if (typeof observation !== 'string') return [observation]
    this.leftOut[observation]++
    return []
  }
}

/** Options of reading a file. */
export interface ObservationReader {
  readonly signal: AbortSignal
  /** The device of reports that name none. */
  readonly device: string | undefined
}

/**
 * Reads the observations of a file, however large, in constant memory.
 *
 * @param tally kept up to date while they are read
 * @throws UsageError if the file contains none, is damaged or changes
 */
export async function* readObservations(
  file: ImportFile,
  tally: ObservationTally,
  { signal, device }: ObservationReader,
): AsyncGenerator<Observation[]> {
  const keep = (report: Report | 'malformed') => tally.count(observationOf(report, device))
  const { opening, chunks } = await openText(file, tally, signal)
  const opened = openFormat(opening)
  const reader = opened?.reader
  const sightings =
    cellSightings(firstRow(opening)) ?? (reader && 'read' in reader ? reader.readSighting : undefined)
  if (sightings) {
    const scans = new SightingScans()
    for await (const rows of readCsv(chunks, ROWS))
      yield rows.flatMap(({ fields }) =>
        reportsOf(fields ? sightings(fields) : 'malformed', scans).flatMap(keep),
      )
    yield scans.end().flatMap(keep)
  } else if (reader && 'records' in reader && reader.content === 'observations') {
    const records =
      reader.records === 'lines' ? readJsonLines(chunks) : readMembers(chunks, reader.records, file.name)
    for await (const found of records) yield found.flatMap((record) => reportsIn(record).flatMap(keep))
  } else
    throw new UsageError(
      `${file.name} contains no complete observations.`,
      'Use geosubmit JSON lines, which have the position of a device with all access points and cells it received, a WiGLE CSV export with times, wifis.csv or cells.csv of NeoStumbler, or CSV of TowerCollector. For other files: bearing access-points import.',
    )
}

/** Returns the scans that a row completes. */
function reportsOf(sighting: SightingReading, scans: SightingScans): (Report | 'malformed')[] {
  if (sighting === 'malformed') return [sighting]
  return typeof sighting === 'object' ? scans.add(sighting) : []
}
