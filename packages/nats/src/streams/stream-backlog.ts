import type { WorkStream } from '@bearing/contracts/streams'
import { jetstreamManager } from '@nats-io/jetstream'
import type { Connection } from '../connection.js'

/** How long NATS may take, in milliseconds. */
const TIMEOUT_MS = 2_000

/**
 * What lies in a stream: of a queue all that nobody has acknowledged, be it under way.
 *
 * @returns how many messages, and since when the oldest has been there; null where there is none
 * @throws where NATS or the stream is not there
 */
export async function streamBacklog(
  { raw }: Connection,
  { name }: WorkStream,
): Promise<{ readonly entries: number; readonly since: Date | null }> {
  const manager = await jetstreamManager(raw, { timeout: TIMEOUT_MS, checkAPI: false })
  const { state } = await manager.streams.info(name)
  return { entries: state.messages, since: state.messages > 0 ? new Date(state.first_ts) : null }
}
