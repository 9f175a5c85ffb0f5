import {
  CHUNK_STREAM,
  CHUNK_STREAMS,
  MAX_CHUNK_PARTITIONS,
  type WorkStream,
} from '@bearing/contracts/nats/streams'
import { jetstreamManager, type StreamConfig } from '@nats-io/jetstream'
import type { Connection } from '../connection.js'

/** Key of the number of partitions, which identity keeps for all services in the metadata of the first one's stream. */
export const PARTITIONS = 'bearing-partitions'
const TIMEOUT_MS = 2_000

/** Returns the number of partitions that the first one's stream names: 1 if it names none. */
export function partitionsOf(config: Pick<StreamConfig, 'metadata'> | undefined): number {
  const number = Number(config?.metadata?.[PARTITIONS] ?? 1)
  return Number.isInteger(number) && number >= 1 ? Math.min(number, MAX_CHUNK_PARTITIONS) : 1
}

/**
 * Returns the streams of the queue of chunks that exist. Gateways store messages only in these.
 *
 * @throws if NATS or the queue is unavailable
 */
export async function chunkStreams({ raw }: Connection): Promise<readonly WorkStream[]> {
  const manager = await jetstreamManager(raw, { timeout: TIMEOUT_MS, checkAPI: false })
  const { config } = await manager.streams.info(CHUNK_STREAM.name)
  return CHUNK_STREAMS.slice(0, partitionsOf(config))
}
