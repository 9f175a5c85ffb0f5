import { setTimeout as sleep } from 'node:timers/promises'
import { NATS_USERS, NATS_USER_NAMES } from '@bearing/contracts/nats/nats-users'
import { CHUNK_STREAM, workStreams, type WorkStream } from '@bearing/contracts/nats/streams'
import {
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  DiscardPolicy,
  StorageType,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream'
import type { Connection } from '../connection.js'
import { PARTITIONS, partitionsOf } from './chunk-partitions.js'
import { OBJECT_STORE, objectSubject } from './object-subjects.js'
import { streamOf, workers } from '../permissions/permissions.js'
import { limitStreams } from './stream-limits.js'
import { STARTED } from './stream-start.js'
import { makeWorkConsumer } from './work-consumer.js'

/** Time for which events are kept for consumers that were away, in nanoseconds: seven days. */
const KEPT_NS = 7 * 24 * 3600 * 1e9
/** Within this time a message id counts as the same event, in nanoseconds: two minutes. */
const DEDUPLICATED_NS = 120 * 1e9
const DAY_NS = 24 * 3600 * 1e9
/** JetStream's error code for a stream that does not exist. */
const STREAM_NOT_FOUND = 10_059
/** Pause before a failed attempt is repeated, in milliseconds. */
const RETRY_MS = 1_000

/** Options of the streams. */
export interface StreamOptions {
  /** Number of servers of the cluster that store each stream (default: 1). */
  readonly replicas?: number
  /** Days after which dead letters expire (default: 30). */
  readonly deadLetterDays?: number
  /** Partitions of the queue of chunks (default: 1). If there are more already, they stay. */
  readonly chunkPartitions?: number
  /** Bytes that the NATS server may store, its max_file_store, which the streams share; no limits if undefined. */
  readonly storeBytes?: number
  /** Called with each reason why the streams are not as these options say. */
  readonly warn?: (problem: string) => void
}

/**
 * Creates the event streams, one for each service that publishes, the work queues with their consumers, and the file
 * store, now and whenever the connection comes back: a server may have lost them. One service does it for all, because
 * the creator of a stream can have it filled with anybody's messages.
 *
 * @param failed called after each attempt that failed; it is retried
 * @returns after the first attempt, failed or not
 */
export async function keepEventStreams(
  connection: Connection,
  failed: (error: unknown) => void,
  options: StreamOptions = {},
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const attempt = async () => {
    clearTimeout(timer)
    try {
      await makeStreams(connection, options)
    } catch (error) {
      // While the connection is down there is nothing to report: its return is the next attempt.
      if (!connection.isUp) return
      failed(error)
      timer = setTimeout(() => void attempt(), RETRY_MS).unref()
    }
  }
  connection.reconnected(() => void attempt())
  await attempt()
}

async function makeStreams(
  connection: Connection,
  { replicas = 1, deadLetterDays = 30, chunkPartitions = 1, storeBytes, warn }: StreamOptions,
): Promise<void> {
  const manager = await jetstreamManager(connection.raw, {
    timeout: 2_000,
    // It would ask for the account, which is nobody's business here.
    checkAPI: false,
  })
  for (const name of NATS_USER_NAMES) {
    const subjects = NATS_USERS[name].publishes.map(({ subject }) => subject)
    if (subjects.length > 0) await makeStream(manager, streamOf(name), subjects, replicas)
  }
  const before = partitionsOf((await existing(manager, CHUNK_STREAM.name))?.config)
  const partitions = Math.max(chunkPartitions, before)
  if (partitions > chunkPartitions)
    warn?.(
      `The queue of chunks has ${String(partitions)} partitions, and CHUNK_PARTITIONS is ${String(chunkPartitions)}: the number can only grow.`,
    )
  const streams = workStreams(partitions)
  for (const stream of streams) await makeWorkStream(manager, stream, replicas, deadLetterDays)
  for (const work of workers(streams)) await makeWorkConsumer(manager, work)
  // Last: gateways store messages in a partition as soon as they read this.
  if (partitions !== before)
    await addMetadata(manager, CHUNK_STREAM.name, { [PARTITIONS]: String(partitions) })
  await makeObjectStore(manager, replicas)
  if (storeBytes === undefined) return
  for (const problem of await limitStreams(manager, storeBytes, partitions)) warn?.(problem)
}

/** As the convention for object stores has it (ADR-20). A full one refuses what is new. */
async function makeObjectStore(manager: JetStreamManager, replicas: number): Promise<void> {
  const stream = await existing(manager, OBJECT_STORE)
  if (stream) {
    if (stream.config.num_replicas !== replicas)
      await manager.streams.update(OBJECT_STORE, { num_replicas: replicas })
    return
  }
  await manager.streams.add({
    name: OBJECT_STORE,
    subjects: [objectSubject.chunks('>'), objectSubject.about('>')],
    num_replicas: replicas,
    discard: DiscardPolicy.New,
    allow_rollup_hdrs: true,
    allow_direct: true,
  })
}

/**
 * Creates a work stream. A full stream refuses new messages, and a full feed deletes the oldest. Messages in a queue never
 * expire; those of a feed do after a day, and dead letters after so many days.
 */
async function makeWorkStream(
  manager: JetStreamManager,
  { name, subject, queue, feed = false }: WorkStream,
  replicas: number,
  deadLetterDays: number,
): Promise<void> {
  const stream = await existing(manager, name)
  const config = {
    duplicate_window: DEDUPLICATED_NS,
    num_replicas: replicas,
    max_age: queue ? 0 : feed ? DAY_NS : deadLetterDays * DAY_NS,
  }
  if (!stream) {
    await manager.streams.add({
      ...config,
      name,
      subjects: [`${subject}.>`],
      retention: queue ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
      discard: feed ? DiscardPolicy.Old : DiscardPolicy.New,
      storage: StorageType.File,
    })
    // Messages name their stream by the millisecond in which it was created.
    await sleep(2)
  } else if (stream.config.num_replicas !== replicas || stream.config.max_age !== config.max_age)
    await manager.streams.update(name, config)
  const made = await manager.streams.info(name)
  if (made.config.metadata?.[STARTED] === undefined)
    await addMetadata(manager, name, { [STARTED]: made.created })
}

async function addMetadata(
  manager: JetStreamManager,
  name: string,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const { config } = await manager.streams.info(name)
  await manager.streams.update(name, { metadata: { ...config.metadata, ...metadata } })
}

async function makeStream(
  manager: JetStreamManager,
  name: string,
  subjects: string[],
  replicas: number,
): Promise<void> {
  const config = { max_age: KEPT_NS, duplicate_window: DEDUPLICATED_NS, num_replicas: replicas }
  const stream = await existing(manager, name)
  if (!stream) await manager.streams.add({ ...config, name, subjects })
  // A newer version may publish more: no subject is removed.
  else if (
    stream.config.num_replicas !== replicas ||
    subjects.some((subject) => !stream.config.subjects.includes(subject))
  )
    await manager.streams.update(name, {
      ...config,
      subjects: [...new Set([...stream.config.subjects, ...subjects])],
    })
}

async function existing(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return undefined
    throw error
  }
}
