import { OBSERVATIONS_SUBJECT, REJECTED_OBSERVATIONS_SUBJECT } from '../location/observations/observation.js'
import { deviceLocationResolved } from '../location/positions/device-resolved.js'
import { DEVICE_DATA_SUBJECT } from '../management/data/device-data.js'
import { DEAD_LETTER_SUBJECT } from '../management/data/dead-letter.js'
import { sendChunks } from '../management/data/chunk.js'

/** A stream between a service that stores messages and one that processes them. */
export interface WorkStream {
  readonly name: string
  /** The prefix of its messages' subjects. */
  readonly subject: string
  /** True if messages are delivered until they are acknowledged, and then removed. Otherwise they stay until deletion. */
  readonly queue: boolean
  /** True if messages stay for a day, and the oldest of a full stream go: nothing waits for its readers. Not of a queue. */
  readonly feed?: boolean
}

/** The most partitions that the queue of chunks can have: permissions of NATS name each of them. */
export const MAX_CHUNK_PARTITIONS = 8

/** Chunks of devices that management has not stored yet: the first partition, and by default the only one. */
export const CHUNK_STREAM: WorkStream = { name: 'CHUNKS', subject: sendChunks.subject, queue: true }

/** The queue of chunks: one stream for each partition. All chunks of a project are in one of them ({@link chunkStream}). */
export const CHUNK_STREAMS: readonly WorkStream[] = Array.from(
  { length: MAX_CHUNK_PARTITIONS },
  (_, number) =>
    number === 0
      ? CHUNK_STREAM
      : {
          ...CHUNK_STREAM,
          name: `CHUNKS_${String(number)}`,
          subject: `${sendChunks.subject}-${String(number)}`,
        },
)

/** A prime near 2³² divided by the golden ratio: it spreads numbers that follow each other. */
const SPREAD = 0x9e3779b1

/**
 * Returns the partition that stores the chunks of a project: the one with the highest hash of both (rendezvous hashing). So a larger
 * number moves a project to one of the new partitions, or leaves it where it is.
 *
 * @param partitions from 1 to {@link MAX_CHUNK_PARTITIONS}
 */
export function chunkStream(projectId: string, partitions: number): WorkStream {
  let best = CHUNK_STREAM
  let highest = -1
  const project = hash(projectId)
  for (const [number, stream] of CHUNK_STREAMS.slice(0, partitions).entries()) {
    const weight = mix(project ^ Math.imul(number + 1, SPREAD))
    if (weight > highest) [best, highest] = [stream, weight]
  }
  return best
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let place = 0; place < text.length; place++)
    value = Math.imul(value ^ text.charCodeAt(place), 0x01000193)
  return value
}

/** The last step of MurmurHash3: every bit of the input changes half of the bits. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Chunks that management could not store. */
export const DEAD_LETTER_STREAM: WorkStream = {
  name: 'DEAD_LETTERS',
  subject: DEAD_LETTER_SUBJECT,
  queue: false,
}

/** Contributed observations that wait for learning. */
export const OBSERVATION_STREAM: WorkStream = {
  name: 'OBSERVATIONS',
  subject: OBSERVATIONS_SUBJECT,
  queue: true,
}

/** Observations that could not be processed. */
export const OBSERVATION_DEAD_LETTER_STREAM: WorkStream = {
  name: 'REJECTED_OBSERVATIONS',
  subject: REJECTED_OBSERVATIONS_SUBJECT,
  queue: false,
}

/** Positions of devices, for webhooks of management. */
export const DEVICE_LOCATION_STREAM: WorkStream = {
  name: 'DEVICE_LOCATIONS',
  subject: deviceLocationResolved.subject,
  queue: true,
}

/** Organization tokens that are about to expire, and claimed and revoked keys of devices, for webhooks of management. */
export const TOKEN_NOTICE_STREAM: WorkStream = {
  name: 'TOKEN_NOTICES',
  subject: 'identity.v1.organization-token-notice',
  queue: true,
}

/** The data of devices for internal services that read at their own pace (`data.v1.…`, `device-data.ts`). */
export const DEVICE_DATA_STREAM: WorkStream = {
  name: 'DEVICE_DATA',
  subject: DEVICE_DATA_SUBJECT,
  queue: false,
  feed: true,
}

/** The streams of work with so many partitions of chunks. */
export function workStreams(partitions: number): readonly WorkStream[] {
  return [...CHUNK_STREAMS.slice(0, partitions), ...OTHER_STREAMS]
}

const OTHER_STREAMS: readonly WorkStream[] = [
  DEAD_LETTER_STREAM,
  OBSERVATION_STREAM,
  OBSERVATION_DEAD_LETTER_STREAM,
  DEVICE_LOCATION_STREAM,
  TOKEN_NOTICE_STREAM,
  DEVICE_DATA_STREAM,
]

/** All streams of work that an installation can have. */
export const WORK_STREAMS: readonly WorkStream[] = workStreams(MAX_CHUNK_PARTITIONS)
