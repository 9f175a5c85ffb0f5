import { ObservationMessage } from '@bearing/contracts/location/observation'
import type { Contribution } from '@bearing/positioning/learning/contribution'
import { compareTrack, type DeviceTrack } from '@bearing/positioning/learning/compare-track'
import type { Lesson } from '@bearing/positioning/learning/learn'

/** An observation that came out of the queue. */
export interface Submitted {
  /** The same for what was submitted twice. */
  readonly id: string
  /** The observation that it was exported from, where it is a copy. */
  readonly copyOf?: string | undefined
  readonly organizationId: string
  readonly projectId: string
  /** Whether it may go into the shared layer, where its organization shares. */
  readonly shareable: boolean
  /** Who heard it, as far as that is known. */
  readonly device: string | null
  readonly contribution: Contribution
}

/**
 * Observations of one submission, in its order. Those that do not say who heard them count as one device's, where they can
 * be.
 */
export type Submission = readonly Submitted[]

/**
 * Reads a message of the queue.
 *
 * @throws SyntaxError or ZodError where it is none
 */
export function readSubmission(body: Uint8Array): Submission {
  const message = ObservationMessage.parse(JSON.parse(new TextDecoder().decode(body)))
  return message.observations.map(
    ({ id, copy_of, device, at_seconds, lat, lon, accuracy_meters, speed, readings, cells }) => ({
      id,
      copyOf: copy_of,
      organizationId: message.organization_id,
      projectId: message.project_id,
      shareable: message.shareable,
      device,
      contribution: {
        lat,
        lon,
        accuracyMeters: accuracy_meters,
        atSeconds: at_seconds,
        ...(speed !== null && { speedMetersPerSecond: speed }),
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
      },
    }),
  )
}

/** An observation and what it teaches. */
export interface Taught {
  readonly submitted: Submitted
  readonly lesson: Lesson
}

/**
 * What submissions teach. Each observation is compared with the one before it of the same device, in the order in which
 * they were taken: within a submission, and by the device's name across submissions. What cannot be true is compared with
 * nothing, nor is what names no device and is of several ({@link compareTrack}), nor what was exported: it is what was left
 * of such a comparison.
 *
 * @param known the tracks of devices before these, by the device
 * @returns `tracks`: those after these, of devices that say who they are and have one
 */
export function lessonsOf(
  submissions: readonly Submission[],
  known: ReadonlyMap<string, DeviceTrack>,
  nowSeconds: number,
): { taught: Taught[]; tracks: Map<string, DeviceTrack> } {
  const tracks = new Map<string, DeviceTrack>()
  const taught = [...togetherOf(submissions)].flatMap(([key, together]) => {
    const ordered = inOrder(together)
    const contributions = ordered.map(({ contribution }) => contribution)
    const isNamed = together.every(({ device }) => device === key)
    const { compared, track } = compareTrack(contributions, known.get(key), isNamed, nowSeconds)
    if (isNamed && track) tracks.set(key, track)
    return compared.flatMap(({ lesson }, index): Taught[] => {
      const submitted = ordered[index]
      return submitted ? [{ submitted, lesson }] : []
    })
  })
  return { taught, tracks }
}

/** What is compared with each other, by the device where it says who it is. */
function togetherOf(submissions: readonly Submission[]): Map<string, Submitted[]> {
  const tracks = new Map<string, Submitted[]>()
  submissions.forEach((submission, index) => {
    for (const submitted of submission) {
      const key = submitted.copyOf ?? submitted.device ?? `submission ${String(index)}`
      const track = tracks.get(key)
      if (track) track.push(submitted)
      else tracks.set(key, [submitted])
    }
  })
  return tracks
}

/** The devices that say who they are, each once. */
export function devicesOf(submissions: readonly Submission[]): Set<string> {
  return new Set(submissions.flat().flatMap(({ device }) => device ?? []))
}

/** By their times; those of the same time as they came. */
function inOrder(track: readonly Submitted[]): Submitted[] {
  return [...track].sort((a, b) => a.contribution.atSeconds - b.contribution.atSeconds)
}
