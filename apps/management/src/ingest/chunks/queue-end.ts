import { chunkStreams } from '@bearing/nats/chunk-partitions'
import type { Connection } from '@bearing/nats/connection'
import { StoredStream } from '@bearing/nats/stored-stream'

/** The last message of each partition of the queue of chunks at some moment, as rows of deletions have it. */
export interface QueueEnd {
  /** The partition that was created last. */
  readonly streamStartedAt: Date
  readonly sequence: number | bigint
  /** Sequences of the other partitions, by the millisecond in which they were created. */
  readonly otherStreams: Readonly<Record<string, number>>
}

/** Present or former place of a message in the queue. */
export interface QueuePlace {
  readonly streamStartedAt: Date
  readonly sequence: number
}

/**
 * Reads the end of the queue.
 *
 * @throws if NATS or a partition is unavailable
 */
export async function queueEnd(connection: Connection): Promise<QueueEnd> {
  const streams = await chunkStreams(connection)
  const ends = await Promise.all(streams.map((stream) => new StoredStream(connection, stream).end()))
  const [last, ...others] = ends.sort((one, other) => other.startedAt.getTime() - one.startedAt.getTime())
  if (!last) throw new Error('the queue of chunks has no partition')
  return {
    streamStartedAt: last.startedAt,
    sequence: last.number,
    otherStreams: Object.fromEntries(
      others.map(({ startedAt, number }) => [String(startedAt.getTime()), number]),
    ),
  }
}

/**
 * Returns whether a message was stored before an end of the queue. A stream that the end does not name is later if it was created
 * later, and was lost otherwise.
 */
export function isWithin({ streamStartedAt, sequence }: QueuePlace, end: QueueEnd): boolean {
  const other = end.otherStreams[String(streamStartedAt.getTime())]
  if (other !== undefined) return sequence <= other
  const streams = streamStartedAt.getTime() - end.streamStartedAt.getTime()
  return streams === 0 ? BigInt(sequence) <= BigInt(end.sequence) : streams < 0
}
