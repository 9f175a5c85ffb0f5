import { ObservationMessage } from '@bearing/contracts/location/observations/observation'
import type { Contribution } from '@bearing/positioning/learning/evidence/contribution'
import { compareTrack, type DeviceTrack } from '@bearing/positioning/learning/evidence/compare-track'
import type { Update } from '@bearing/positioning/learning/evidence/learn'

export interface QueuedObservation {
  /** The same if it was submitted twice. */
  readonly id: string
  /** The observation that it was exported from, if it is a copy. */
  readonly copyOf?: string | undefined
  readonly organizationId: string
  readonly projectId: string
  /** The client network that it came from, if it came with a project key. */
  readonly network: string | null
  /** The device that sent it, if it says so. */
  readonly device: string | null
  readonly contribution: Contribution
}

/** The observations of one submission, in its order. Those without a device count as those of one device. */
export type Submission = readonly QueuedObservation[]

/**
 * Reads a message of the queue.
 *
 * @throws SyntaxError or ZodError if it is not valid
 */
export function readSubmission(body: Uint8Array): Submission {
  const message = ObservationMessage.parse(JSON.parse(new TextDecoder().decode(body)))
  return message.observations.map((observation) => ({
    id: observation.id,
    copyOf: observation.copy_of,
    organizationId: message.organization_id,
    projectId: message.project_id,
    network: message.network,
    device: observation.device,
    contribution: contributionOf(observation),
  }))
}

/** Returns what an observation of a message contributes. */
export function contributionOf({
  at_seconds,
  lat,
  lon,
  accuracy_meters,
  speed,
  height,
  readings,
  cells,
}: Omit<ObservationMessage['observations'][number], 'id' | 'copy_of' | 'device'>): Contribution {
  return {
    lat,
    lon,
    accuracyMeters: accuracy_meters,
    atSeconds: at_seconds,
    ...(speed !== null && { speedMetersPerSecond: speed }),
    ...(height && { height }),
    readings: readings.map(([bssid, signalDbm, ageMs]) => ({
      bssid,
      signalDbm,
      ...(ageMs !== null && { ageMs }),
    })),
    cells: cells.map(([radio, mcc, mnc, area, cell, signalDbm, ageMs]) => ({
      ...{ radio, mcc, mnc, area, cell },
      ...(signalDbm !== null && { signalDbm }),
      ...(ageMs !== null && { ageMs }),
    })),
  }
}

/** An observation and what is learned from it. */
export interface ObservationUpdate {
  readonly observation: QueuedObservation
  readonly update: Update
}

/**
 * Selects what is learned from submissions. Each observation is compared with the previous one of the same device, in the order
 * of their times: within a submission, and across submissions by the name of the device. Exported observations are not compared:
 * they were before.
 *
 * @param known tracks of devices before these submissions, by device
 * @returns `tracks`: those after them, of named devices
 */
export function updatesFrom(
  submissions: readonly Submission[],
  known: ReadonlyMap<string, DeviceTrack>,
  nowSeconds: number,
): { updates: ObservationUpdate[]; tracks: Map<string, DeviceTrack> } {
  const tracks = new Map<string, DeviceTrack>()
  const updates = [...byDevice(submissions)].flatMap(([key, observations]) => {
    const ordered = [...observations].sort((a, b) => a.contribution.atSeconds - b.contribution.atSeconds)
    const contributions = ordered.map(({ contribution }) => contribution)
    const isNamed = observations.every(({ device }) => device === key)
    const { compared, track } = compareTrack(contributions, known.get(key), isNamed, nowSeconds)
    if (isNamed && track) tracks.set(key, track)
    return compared.flatMap(({ update }, index): ObservationUpdate[] => {
      const observation = ordered[index]
      return observation ? [{ observation, update }] : []
    })
  })
  return { updates, tracks }
}

/** Returns what is compared with each other, by device if it is named. */
function byDevice(submissions: readonly Submission[]): Map<string, QueuedObservation[]> {
  const indexed = submissions.flatMap((submission, index) =>
    submission.map((observation) => ({ observation, index })),
  )
  const groups = Map.groupBy(
    indexed,
    ({ observation, index }) => observation.copyOf ?? observation.device ?? `submission ${String(index)}`,
  )
  return new Map([...groups].map(([key, group]) => [key, group.map(({ observation }) => observation)]))
}

/** Returns the named devices, each once. */
export function devicesOf(submissions: readonly Submission[]): Set<string> {
  return new Set(submissions.flat().flatMap(({ device }) => device ?? []))
}
