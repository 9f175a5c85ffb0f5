import { isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import type { FastifyReply } from 'fastify'
import { MIGRATION_LINK } from '../problems/problem.js'

/**
 * Adds the headers for callers with a legacy location token: such tokens are deprecated (`Deprecation`, RFC 9745), stop
 * working at a date (`Sunset`, RFC 8594), and a page says how to replace them (`Link`, RFC 8288).
 */
export function addDeprecationHeaders(reply: FastifyReply, principal: Principal): void {
  if (!isOrganizationToken(principal) || !principal.legacy || principal.expires_at === null) return
  void reply.headers({
    deprecation: `@${String(Math.floor(Date.parse(principal.legacy.deprecated_at) / 1_000))}`,
    sunset: new Date(principal.expires_at).toUTCString(),
    link: MIGRATION_LINK,
  })
}
