import type { IncomingMessage } from 'node:http'
import { untilAborted } from './until-aborted.js'

/** Time for which a client may keep its reader waiting. */
interface Patience {
  /** Milliseconds without a byte. */
  readonly idleMs: number
  /** Milliseconds in all. */
  readonly totalMs: number
  /** Ends the reading with its reason; the rest of the body can still be read. */
  readonly signal: AbortSignal
}

/**
 * Yields the body of a request, and closes the connection of a client that keeps it waiting. Time counts only while a reader
 * waits for bytes: a body that has arrived is never too late, however slowly it is stored.
 *
 * @throws unknown the reason of the signal, or `ECONNRESET` of a closed connection
 */
export async function* bytesInTime(
  request: IncomingMessage,
  { idleMs, totalMs, signal }: Patience,
): AsyncGenerator<Buffer, void, undefined> {
  const bytes = untilAborted<Buffer>(request.iterator({ destroyOnReturn: false }), signal)
  let leftMs = totalMs
  try {
    for (;;) {
      const since = performance.now()
      const next = await before(Math.min(idleMs, leftMs), bytes.next(), () => {
        request.socket.destroy()
      })
      leftMs -= performance.now() - since
      if (next.done === true) return
      yield next.value
    }
  } finally {
    void bytes.return()
  }
}

async function before<T>(timeoutMs: number, result: Promise<T>, late: () => void): Promise<T> {
  let isWaiting = true
  const timer = setTimeout(() => {
    // After a busy event loop, bytes may lie in the socket that nothing has read yet.
    setImmediate(() => {
      if (isWaiting) late()
    })
  }, timeoutMs)
  try {
    return await result
  } finally {
    isWaiting = false
    clearTimeout(timer)
  }
}
