import { NATS_USERS, NATS_USER_NAMES } from '@bearing/contracts/nats/nats-users'
import {
  CHUNK_STREAMS,
  DEAD_LETTER_STREAM,
  DEVICE_DATA_STREAM,
  DEVICE_LOCATION_STREAM,
  OBSERVATION_STREAM,
  OBSERVATION_DEAD_LETTER_STREAM,
  TOKEN_NOTICE_STREAM,
} from '@bearing/contracts/nats/streams'
import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream'
import { OBJECT_STORE } from './object-subjects.js'
import { streamOf } from '../permissions/permissions.js'

/** JetStream's error code for a reservation that does not fit into max_file_store. */
const NO_STORAGE_RESOURCES = 10_047

/** Percent of max_file_store that each stream may use. The sum stays below 100, so no stream uses the share of another. */
const SHARES: Readonly<Record<string, number>> = {
  [OBJECT_STORE]: 55,
  [OBSERVATION_STREAM.name]: 8,
  [DEVICE_DATA_STREAM.name]: 5,
  [DEAD_LETTER_STREAM.name]: 4,
  [OBSERVATION_DEAD_LETTER_STREAM.name]: 2,
  [DEVICE_LOCATION_STREAM.name]: 2,
  [TOKEN_NOTICE_STREAM.name]: 0.5,
}
/** The same for all partitions of the queue of chunks together. */
const CHUNKS_SHARE = 20
/** The same for the event stream of each service. A full one deletes its oldest events. */
const EVENTS_SHARE = 1

/**
 * Returns the limit of each stream in bytes, by stream name.
 *
 * @param storeBytes max_file_store of the NATS server
 * @param partitions of the queue of chunks
 */
export function streamLimits(storeBytes: number, partitions: number): ReadonlyMap<string, number> {
  const events = NATS_USER_NAMES.filter((name) => NATS_USERS[name].publishes.length > 0).map(streamOf)
  const chunks = CHUNK_STREAMS.slice(0, partitions).map(({ name }) => name)
  const shares = [
    ...chunks.map((name) => [name, CHUNKS_SHARE / partitions] as const),
    ...events.map((name) => [name, EVENTS_SHARE] as const),
    ...Object.entries(SHARES),
  ]
  return new Map(shares.map(([name, percent]) => [name, Math.floor((storeBytes * percent) / 100)]))
}

/**
 * Sets the limit of every stream, so that a full object store never takes the room of chunks, observations and events. JetStream
 * reserves the limit of a stream, and refuses a reservation that does not fit.
 *
 * @param storeBytes max_file_store of the NATS server
 * @param partitions of the queue of chunks
 * @returns why a stream has less than its share, one sentence per problem; empty if every reserve fits
 * @throws if NATS cannot be reached, or a stream does not exist
 */
export async function limitStreams(
  manager: JetStreamManager,
  storeBytes: number,
  partitions: number,
): Promise<string[]> {
  const problems: string[] = []
  const streams = await Promise.all(
    [...streamLimits(storeBytes, partitions)].map(async ([name, limit]) => {
      const { config, state } = await manager.streams.info(name)
      if (state.bytes > limit)
        problems.push(
          `The stream ${name} stores ${String(state.bytes)} bytes, and its limit is ${String(limit)}: it uses the reserve of other streams.`,
        )
      return { name, limit, grows: limit - Math.max(0, config.max_bytes), current: config.max_bytes }
    }),
  )
  // Reservations that shrink make room for those that grow. The object store is the largest, and the others matter more.
  for (const { name, limit, current } of streams.sort((one, other) => one.grows - other.grows)) {
    if (current === limit) continue
    try {
      await manager.streams.update(name, { max_bytes: limit })
    } catch (error) {
      if (!(error instanceof JetStreamApiError && error.code === NO_STORAGE_RESOURCES)) throw error
      problems.push(
        `NATS has no room for the ${String(limit)} bytes of the stream ${name}. Set NATS_MAX_FILE_STORE of identity to max_file_store of NATS, or raise max_file_store.`,
      )
    }
  }
  return problems
}
