import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Longest time for which a client may read nothing, in milliseconds. */
export const UNREAD_MS = 60_000

/** A part of a streamed list. */
export interface Part {
  readonly data: readonly unknown[]
  /** The cursor of the next part; null for the last one. */
  readonly next: string | null
}

/**
 * Sends every item of a list on its own line (NDJSON), as fast as the client reads: at most one part is in memory. The first
 * part is read before anything is sent, so an error in the request gets an ordinary reply. A later error ends the connection
 * before the last chunk, so no client takes the reply for complete.
 *
 * @param read reads the part at a cursor
 * @param unreadMs how long a client may read nothing, in milliseconds
 */
export async function streamLines(
  request: FastifyRequest,
  reply: FastifyReply,
  read: (cursor: string | undefined) => Promise<Part>,
  unreadMs = UNREAD_MS,
): Promise<void> {
  const first = await read(undefined)
  endWhenNobodyReads(request, reply, unreadMs)
  void reply.code(200).header('content-type', 'application/x-ndjson')
  if (request.method === 'HEAD') void reply.send()
  else void reply.send(Readable.from(linesFrom(reply, first, read)))
}

async function* linesFrom(
  reply: FastifyReply,
  first: Part,
  read: (cursor: string) => Promise<Part>,
): AsyncGenerator<string, void, undefined> {
  // Nothing yet: the client knows that it waits.
  if (first.data.length === 0) reply.raw.flushHeaders()
  for (let part = first; ; part = await read(part.next)) {
    if (part.data.length > 0) yield part.data.map((item) => `${JSON.stringify(item)}\n`).join('')
    if (part.next === null) return
  }
}

/** Ends the connection of a client that stopped reading: it would hold memory, and block a shutdown, for ever. */
export function endWhenNobodyReads(
  { raw: { socket } }: FastifyRequest,
  reply: FastifyReply,
  unreadMs: number,
): void {
  const end = () => {
    socket.destroy()
  }
  socket.setTimeout(unreadMs, end)
  // By then Node has set its own keep-alive timeout, which stays.
  reply.raw.once('close', () => {
    socket.removeListener('timeout', end)
  })
}
