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
import type { Tally } from '../tally.js'
import { observationOf, type LeftOut, type Observation } from './observation-of.js'

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
  tally: Tally<LeftOut>,
  { signal, device }: ObservationReader,
): AsyncGenerator<Observation[]> {
  const keep = (reports: readonly (Report | 'malformed')[], line: number) =>
    reports.flatMap((report) => tally.count(observationOf(report, device), line) ?? [])
  const { opening, chunks } = await openText(file, tally, signal)
  const opened = openFormat(opening)
  const reader = opened?.reader
  const sightings =
    cellSightings(firstRow(opening)) ?? (reader && 'read' in reader ? reader.readSighting : undefined)
  if (sightings) {
    const scans = new SightingScans()
    let firstLine: number | undefined
    for await (const rows of readCsv(chunks, ROWS)) {
      const read: Observation[] = []
      for (const { fields, line } of rows) {
        const sighting = fields ? sightings(fields) : 'malformed'
        if (sighting === 'malformed') keep([sighting], line)
        if (typeof sighting !== 'object') continue
        const complete = scans.add(sighting)
        firstLine ??= line
        if (complete.length === 0) continue
        read.push(...keep(complete, firstLine))
        firstLine = line
      }
      yield read
    }
    yield keep(scans.end(), firstLine ?? 0)
  } else if (reader && 'records' in reader && reader.content === 'observations') {
    const records =
      reader.records === 'lines' ? readJsonLines(chunks) : readMembers(chunks, reader.records, file.name)
    let line = 0
    for await (const found of records) yield found.flatMap((record) => keep(reportsIn(record), ++line))
  } else
    throw new UsageError(
      `${file.name} contains no complete observations.`,
      'Use geosubmit JSON lines, which have the position of a device with all access points and cells it received, a WiGLE CSV export with times, wifis.csv or cells.csv of NeoStumbler, or CSV of TowerCollector. For other files: bearing access-points import.',
    )
}
