import { Socket } from 'node:net'
import type { NatsConnection } from '@nats-io/transport-node'

/** Time for which the client library may try to write buffered data to a server that no longer answers, in milliseconds. */
const FLUSH_MS = 500

/** The part of the client library's connection that is used; its types leave it out. */
interface Internals {
  readonly protocol?: { readonly transport: { readonly socket?: unknown } | undefined }
}

/**
 * Returns the socket of a connection; undefined while it is lost.
 *
 * @throws if the client library keeps its socket elsewhere: {@link endStaleSocket} would do nothing
 */
export function socketOf(connection: NatsConnection): Socket | undefined {
  const { protocol } = connection as unknown as Internals // checked below
  if (!protocol || !('transport' in protocol))
    throw new Error(
      'This version of the NATS client library keeps its socket elsewhere: see stale-socket.ts.',
    )
  const socket = protocol.transport?.socket
  return socket instanceof Socket ? socket : undefined
}

/**
 * Bounds the last flush of a connection whose server does not answer. The library waits until everything was written before it
 * connects to another server. If the host has vanished and the send buffer is full, that takes as long as the kernel repeats its
 * packets: a quarter of an hour.
 *
 * Upstream: notes/nats-stale-connections.md is the report; no issue has it yet. Delete this when a version of `@nats-io/transport-node`
 * closes a stale connection without that flush (3.4.0 does not).
 */
export function endStaleSocket(connection: NatsConnection): void {
  const stale = socketOf(connection)
  if (!stale) return
  setTimeout(() => {
    stale.destroy()
  }, FLUSH_MS).unref()
}
