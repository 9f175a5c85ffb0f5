import type { WorkStream } from '@bearing/contracts/nats/streams'
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  jetstreamManager,
  type ConsumerConfig,
  type ConsumerInfo,
  type StreamInfo,
} from '@nats-io/jetstream'
import type { Connection } from '../connection.js'
import type { Permissions } from '../permissions/permissions.js'

const TIMEOUT_MS = 5_000
const MS_PER_NS = 1e-6
/** JetStream's error code for a consumer that does not exist. */
const CONSUMER_NOT_FOUND = 10_014

/** A durable pull consumer of a feed, which somebody reads at their own pace. */
export interface FeedConsumer {
  readonly name: string
  /** Patterns of NATS for the subjects that it reads. */
  readonly subjects: readonly string[]
  readonly createdAt: Date
  /** Messages that nobody has acknowledged, those under way included. */
  readonly waiting: number
  /** Number of the last message before which all are acknowledged. */
  readonly acknowledgedTo: number
  /** The numbers, from and to, of messages that it may not have read and that the stream has no longer; null: none. */
  readonly lost: readonly [number, number] | null
}

/** The start of a consumer: with the next message by default. */
export type FeedStart = { readonly since: Date } | { readonly number: number } | undefined

/**
 * Makes a durable pull consumer.
 *
 * @param name 1–64 of a–z, A–Z, 0–9, `_` and `-`
 * @param subjects patterns of NATS that do not overlap
 * @throws JetStreamApiError if there is another one of this name
 */
export async function makeFeedConsumer(
  connection: Connection,
  { name: stream }: WorkStream,
  { name, subjects, start }: { name: string; subjects: readonly string[]; start: FeedStart },
): Promise<void> {
  const config: Partial<ConsumerConfig> = {
    name,
    durable_name: name,
    ack_policy: AckPolicy.Explicit,
    filter_subjects: [...subjects],
    ...startOf(start),
  }
  await (await open(connection)).consumers.add(stream, config)
}

/** Returns the consumers of a feed, in the order of their names. */
export async function listFeedConsumers(
  connection: Connection,
  { name: stream }: WorkStream,
): Promise<FeedConsumer[]> {
  const manager = await open(connection)
  const info = await manager.streams.info(stream)
  const consumers: FeedConsumer[] = []
  for await (const consumer of manager.consumers.list(stream)) consumers.push(toFeedConsumer(consumer, info))
  return consumers.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Deletes a consumer. @returns whether there was one */
export async function deleteFeedConsumer(
  connection: Connection,
  { name: stream }: WorkStream,
  name: string,
): Promise<boolean> {
  try {
    return await (await open(connection)).consumers.delete(stream, name)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === CONSUMER_NOT_FOUND) return false
    throw error
  }
}

/** Returns the permissions that a user of NATS needs to read a consumer, but not the stream, nor any other consumer. */
export function feedReaderPermissions({ name: stream }: WorkStream, name: string): Permissions {
  return {
    publish: [
      `$JS.ACK.${stream}.${name}.>`,
      `$JS.API.CONSUMER.INFO.${stream}.${name}`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`,
    ],
    subscribe: [`_INBOX.${name}.>`],
  }
}

function open({ raw }: Connection) {
  return jetstreamManager(raw, { timeout: TIMEOUT_MS, checkAPI: false })
}

function startOf(start: FeedStart): Partial<ConsumerConfig> {
  if (start === undefined) return { deliver_policy: DeliverPolicy.New }
  if ('since' in start)
    return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: start.since.toISOString() }
  return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start.number }
}

function toFeedConsumer(info: ConsumerInfo, { config, state }: StreamInfo): FeedConsumer {
  const { filter_subject: filter, filter_subjects: filters } = info.config
  const waiting = info.num_pending + info.num_ack_pending
  // NATS says 0 until something is acknowledged.
  const acknowledgedTo = Math.max(info.ack_floor.stream_seq, (info.config.opt_start_seq ?? 1) - 1)
  // A text in truth; never set where nothing was acknowledged.
  const activeMs = new Date(info.ack_floor.last_active).getTime() || Date.parse(info.created)
  // If it has read everything of its subjects, the numbers in between are of others, unless it was away for longer than a message is kept.
  const isBehind = (acknowledgedTo > 0 && waiting > 0) || Date.now() - activeMs > config.max_age * MS_PER_NS
  return {
    name: info.name,
    subjects: filters ?? (filter === undefined ? [] : [filter]),
    createdAt: new Date(info.created),
    waiting,
    acknowledgedTo,
    lost: isBehind && acknowledgedTo + 1 < state.first_seq ? [acknowledgedTo + 1, state.first_seq - 1] : null,
  }
}
