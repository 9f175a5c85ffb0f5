import { isOrganizationToken } from '@bearing/contracts/principal'
import type { FastifyInstance } from 'fastify'
import { MIGRATION_LINK } from '../problems/migration-link.js'

/**
 * Tells who came with a legacy location token that such tokens are deprecated (`Deprecation`, RFC 9745), when it
 * will stop working (`Sunset`, RFC 8594) and where to read on (`Link`, RFC 8288).
 */
export function announceRetirement(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, _payload, done) => {
    const principal = request.caller?.principal
    if (isOrganizationToken(principal) && principal.legacy && principal.expires_at !== null)
      void reply
        .header('deprecation', `@${String(Math.floor(Date.parse(principal.legacy.deprecated_at) / 1_000))}`)
        .header('sunset', new Date(principal.expires_at).toUTCString())
        .header('link', MIGRATION_LINK)
    done()
  })
}
