import { cutRecords } from '@bearing/client/access-point-files/cut-records'
import { reportsIn, type Report } from '@bearing/client/access-point-files/geosubmit'
import type { RowReader } from '@bearing/client/access-point-files/row-reader'
import { SightingScans } from '@bearing/client/access-point-files/sightings'
import type { ImportFile } from '../access-points/import-file.js'
import { openPieces } from '../access-points/read-rows.js'
import { UsageError } from '../usage-error.js'
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
  const { opened, pieces } = await openPieces(file, tally, { signal })
  const { reader, headerLines } = opened
  const keep = (report: Report | 'malformed') => tally.count(observationOf(report, device))
  if ('records' in reader && reader.content === 'observations')
    for await (const records of cutRecords(opened, pieces, file.name))
      yield records.flatMap((record) => (record.trim() === '' ? [] : reportsIn(record).flatMap(keep)))
  else if ('readSighting' in reader) {
    const scans = new SightingScans()
    let header = headerLines
    for await (const lines of cutRecords(opened, pieces, file.name)) {
      yield lines.slice(header).flatMap((line) => reportsOf(line, reader, scans).flatMap(keep))
      header = Math.max(0, header - lines.length)
    }
    yield scans.end().flatMap(keep)
  } else
    throw new UsageError(
      `${file.name} contains no complete observations.`,
      'Use geosubmit JSON lines, which have the position of a device with all access points and cells it received, or a WiGLE CSV export with times. For other files: bearing access-points import.',
    )
}

/** Returns the scans that a row completes. */
function reportsOf(line: string, reader: RowReader, scans: SightingScans): (Report | 'malformed')[] {
  const sighting = reader.readSighting?.(line)
  if (sighting === 'malformed') return [sighting]
  return typeof sighting === 'object' ? scans.add(sighting) : []
}
