import { OBSERVATIONS_SUBJECT, REJECTED_OBSERVATIONS_SUBJECT } from './location/observation.js'
import { deviceLocationResolved } from './location/device-resolved.js'
import { DEAD_LETTER_SUBJECT } from './management/dead-letter.js'
import { sendChunks } from './management/chunk.js'

/** A stream that one service stores messages in and one works off. */
export interface WorkStream {
  /** The stream's name; its messages are stored in files. */
  readonly name: string
  /** What the subjects of its messages begin with. */
  readonly subject: string
  /** Whether each message is handed out until it is acknowledged, and gone then. Otherwise it stays until it is deleted. */
  readonly queue: boolean
}

/** What devices have sent and management has not stored yet. */
export const CHUNK_STREAM: WorkStream = { name: 'CHUNKS', subject: sendChunks.subject, queue: true }

/** What management could not store. */
export const DEAD_LETTER_STREAM: WorkStream = {
  name: 'DEAD_LETTERS',
  subject: DEAD_LETTER_SUBJECT,
  queue: false,
}

/** What was contributed and nothing was learned from yet. */
export const OBSERVATION_STREAM: WorkStream = {
  name: 'OBSERVATIONS',
  subject: OBSERVATIONS_SUBJECT,
  queue: true,
}

/** What could not be learned from. */
export const REJECTED_OBSERVATION_STREAM: WorkStream = {
  name: 'REJECTED_OBSERVATIONS',
  subject: REJECTED_OBSERVATIONS_SUBJECT,
  queue: false,
}

/** Where devices were, for management to tell webhooks of. */
export const DEVICE_LOCATION_STREAM: WorkStream = {
  name: 'DEVICE_LOCATIONS',
  subject: deviceLocationResolved.subject,
  queue: true,
}

/** All of them. */
export const WORK_STREAMS: readonly WorkStream[] = [
  CHUNK_STREAM,
  DEAD_LETTER_STREAM,
  OBSERVATION_STREAM,
  REJECTED_OBSERVATION_STREAM,
  DEVICE_LOCATION_STREAM,
]
