import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long a client may leave what was sent unread, in milliseconds. */
export const UNREAD_MS = 60_000

/** A part of a list that has no known end. */
export interface Part {
  readonly data: readonly unknown[]
  /** Where the next part begins; null: this is the last one. */
  readonly next: string | null
}

/**
 * Answers with every item of a list on a line of its own (NDJSON), as far as the client has read: no more than one part
 * is in memory. The first part is there before anything is sent, so what is wrong with the request is an ordinary reply;
 * what goes wrong later ends the connection before the last chunk, which no client can take for the end.
 *
 * @param read reads the part that begins at a cursor
 * @param unreadMs how long a client may leave what was sent unread, in milliseconds; a minute unless given
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
  else void reply.send(Readable.from(linesFrom(first, read)))
}

async function* linesFrom(
  first: Part,
  read: (cursor: string) => Promise<Part>,
): AsyncGenerator<string, void, undefined> {
  for (let part = first; ; part = await read(part.next)) {
    if (part.data.length > 0) yield part.data.map((item) => `${JSON.stringify(item)}\n`).join('')
    if (part.next === null) return
  }
}

/** A client that reads no more would hold a part of the list, and every shutdown, for ever. */
export function endWhenNobodyReads(
  { raw: { socket } }: FastifyRequest,
  reply: FastifyReply,
  unreadMs: number,
): void {
  const end = () => {
    socket.destroy()
  }
  socket.setTimeout(unreadMs, end)
  // By then Node has set the time for which it keeps the connection: that stays.
  reply.raw.once('close', () => {
    socket.removeListener('timeout', end)
  })
}
