import type { WorkStream } from '@bearing/contracts/nats/streams'
import { jetstreamManager } from '@nats-io/jetstream'
import type { Connection } from '../connection.js'

/** Time limit of a request to NATS, in milliseconds. */
const TIMEOUT_MS = 2_000

/**
 * Reads the backlog of streams: of a queue all messages that are not acknowledged, also those under way.
 *
 * @returns the number of messages, and the time since which the oldest has been there; null if there is none
 * @throws if NATS or one of the streams is not there
 */
export async function streamBacklog(
  { raw }: Connection,
  ...streams: readonly WorkStream[]
): Promise<{ readonly entries: number; readonly since: Date | null }> {
  const manager = await jetstreamManager(raw, { timeout: TIMEOUT_MS, checkAPI: false })
  const states = await Promise.all(streams.map(async ({ name }) => (await manager.streams.info(name)).state))
  const oldest = states.filter(({ messages }) => messages > 0).map(({ first_ts }) => Date.parse(first_ts))
  const entries = states.reduce((sum, { messages }) => sum + messages, 0)
  return { entries, since: oldest.length > 0 ? new Date(Math.min(...oldest)) : null }
}
