import { cutRecords } from '../access-points/cut-records.js'
import { reportsIn } from '../access-points/geosubmit.js'
import type { ImportFile } from '../access-points/import-file.js'
import { openPieces } from '../access-points/read-rows.js'
import { UsageError } from '../usage-error.js'
import { LEFT_OUT, observationOf, type LeftOut, type Observation } from './observation-of.js'

/** How far a file has been read, and what became of its observations. */
export class ObservationTally {
  bytes = 0
  observations = 0
  readonly leftOut: Record<LeftOut, number>

  constructor() {
    // The keys of LEFT_OUT are the reasons; Object.fromEntries forgets that.
    this.leftOut = Object.fromEntries(
      Object.keys(LEFT_OUT).map((reason) => [reason, 0]),
    ) as ObservationTally['leftOut']
  }

  /** Counts an observation. @returns what is sent of it */
  count(observation: Observation | LeftOut): Observation[] {
    this.observations++
    if (typeof observation !== 'string') return [observation]
    this.leftOut[observation]++
    return []
  }
}

/** How a file is read. */
export interface ObservationReader {
  readonly signal: AbortSignal
  /** Who heard what does not say it. */
  readonly device: string | undefined
}

/**
 * Reads the observations of a file, however large, in constant memory.
 *
 * @param tally kept up to date while they are read
 * @throws UsageError where the file has none, is damaged or changes
 */
export async function* readObservations(
  file: ImportFile,
  tally: ObservationTally,
  { signal, device }: ObservationReader,
): AsyncGenerator<Observation[]> {
  const { opened, pieces } = await openPieces(file, tally, { signal })
  const { reader } = opened
  if (!('records' in reader) || reader.content !== 'observations')
    throw new UsageError(
      `${file.name} has no whole observations.`,
      'Submitted are geosubmit JSON lines: where a device was, and all that it heard there. Other files: bearing access-points import.',
    )
  for await (const records of cutRecords(opened, pieces, file.name))
    yield records.flatMap((record) =>
      record.trim() === ''
        ? []
        : reportsIn(record).flatMap((report) => tally.count(observationOf(report, device))),
    )
}
