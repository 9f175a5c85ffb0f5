import { OBSERVATIONS_SUBJECT, REJECTED_OBSERVATIONS_SUBJECT } from './location/observation.js'
import { deviceLocationResolved } from './location/device-resolved.js'
import { DEAD_LETTER_SUBJECT } from './management/dead-letter.js'
import { sendChunks } from './management/chunk.js'

/** A stream between a service that stores messages and one that processes them. */
export interface WorkStream {
  readonly name: string
  /** The prefix of its messages' subjects. */
  readonly subject: string
  /** Whether messages are delivered until they are acknowledged, and then removed. Otherwise they stay until deletion. */
  readonly queue: boolean
}

/** Chunks of devices that management has not stored yet. */
export const CHUNK_STREAM: WorkStream = { name: 'CHUNKS', subject: sendChunks.subject, queue: true }

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

/** Organization tokens that are about to expire, for webhooks of management. */
export const TOKEN_NOTICE_STREAM: WorkStream = {
  name: 'TOKEN_NOTICES',
  subject: 'identity.v1.organization-token-notice',
  queue: true,
}

export const WORK_STREAMS: readonly WorkStream[] = [
  CHUNK_STREAM,
  DEAD_LETTER_STREAM,
  OBSERVATION_STREAM,
  OBSERVATION_DEAD_LETTER_STREAM,
  DEVICE_LOCATION_STREAM,
  TOKEN_NOTICE_STREAM,
]
