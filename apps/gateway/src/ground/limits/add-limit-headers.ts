import type { FastifyReply } from 'fastify'
import type { LimitHeaders } from './limit-reached.js'

/** Adds a limit to the headers of a reply; the fields are lists, so several limits stand side by side. */
export function announce(reply: FastifyReply, headers: LimitHeaders | undefined): void {
  for (const [name, value] of Object.entries(headers ?? {})) {
    const before = reply.getHeader(name)
    void reply.header(name, typeof before === 'string' ? `${before}, ${value}` : value)
  }
}
