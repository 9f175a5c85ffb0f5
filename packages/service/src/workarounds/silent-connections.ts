import type { Socket } from 'node:net'

/** The part of a connection (`pg`) that is watched; its types leave some of it out. */
interface Watched {
  readonly connection: { readonly stream: Socket }
  /** False while a statement waits for its answer. */
  readonly readyForQuery?: boolean
}

/** Interval at which connections are checked, in milliseconds. */
const LOOK_MS = 500

/** Findings of the checks of a connection. */
interface Looks {
  /** Bytes that had come in. */
  bytes: number
  /** In a row that found no more of them. */
  silent: number
  /** Those of them, in a row, that found a statement waiting. */
  waiting: number
}

/**
 * Closes the connections of a pool to a Postgres whose host is gone. Nobody says that it is gone, so each statement waits for its
 * time limit, and the driver gives the connection of a transaction back to the pool all the same: every statement that gets one of
 * those, or one that was idle, would wait in vain again, long after another server has taken over.
 *
 * If a statement waits for longer than Postgres itself lets it run, its connection is closed, and each one that nothing has come in
 * from for as long.
 *
 * Upstream: https://github.com/brianc/node-postgres/issues/3399. Delete this when a version of `pg` closes the socket of a statement
 * that timed out (8.23.1 does not).
 */
export class SilentConnections {
  private readonly looksAt = new Map<Watched, Looks>()
  private timer: NodeJS.Timeout | undefined

  /** @param limitMs how long Postgres lets a statement run, in milliseconds */
  constructor(private readonly limitMs: number) {}

  /** Watches a connection (`pg`) until it is closed. */
  watch(connection: object): void {
    const watched = connection as Watched // every connection of `pg` has these
    const { stream } = watched.connection
    this.looksAt.set(watched, { bytes: stream.bytesRead, silent: 0, waiting: 0 })
    stream.once('close', () => {
      this.looksAt.delete(watched)
      if (this.looksAt.size > 0) return
      clearInterval(this.timer)
      this.timer = undefined
    })
    this.timer ??= setInterval(() => {
      this.look()
    }, LOOK_MS).unref()
  }

  private look(): void {
    for (const [{ connection, readyForQuery }, looks] of this.looksAt) {
      const { bytesRead } = connection.stream
      const isSilent = bytesRead === looks.bytes
      looks.bytes = bytesRead
      // Looks, not the time: an event loop that was blocked has not read what has come in.
      looks.silent = isSilent ? looks.silent + 1 : 0
      looks.waiting = isSilent && readyForQuery === false ? looks.waiting + 1 : 0
    }
    const all = [...this.looksAt]
    if (!all.some(([, { waiting }]) => waiting * LOOK_MS > this.limitMs)) return
    for (const [{ connection }, { silent }] of all)
      if (silent * LOOK_MS >= this.limitMs) connection.stream.destroy()
  }
}
