import { getJwks } from '@bearing/contracts/identity/credentials/jwks'
import { TOKEN_EXCHANGE } from '@bearing/contracts/identity/workloads/token-exchange'
import type { Output } from '@bearing/contracts/operation'
import { ROUTES } from '@bearing/contracts/routes'
import type { NatsClient } from '@bearing/nats/client'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SameOriginCheck } from '../authenticate/browser/same-origin.js'
import { originOf } from '../ground/origin.js'

/** Lifetime of the cached keys, in milliseconds, so that requests without a credential do not each reach identity. */
const KEYS_MS = 5_000
/** A new key is published two minutes before it signs (docs/rotate-secrets.md), so caches have it by then. */
const HEADERS = { 'cache-control': 'public, max-age=60', 'access-control-allow-origin': '*' }

/** Serves what programs find out without a credential: the keys that verify claims (RFC 7517), and the metadata of OAuth (RFC 8414, RFC 9728). */
export function serveWellKnown(
  server: FastifyInstance,
  client: NatsClient,
  sameOrigin: SameOriginCheck,
): void {
  let known: { readonly keys: Promise<Output<typeof getJwks>>; readonly untilMs: number } | undefined
  const keysFor = (request: FastifyRequest) => {
    const nowMs = performance.now()
    if (known && known.untilMs > nowMs) return known.keys
    const keys = client.call(getJwks, {}, originOf(request))
    known = { keys, untilMs: nowMs + KEYS_MS }
    keys.catch(() => (known = undefined))
    return keys
  }
  server.get('/.well-known/jwks.json', async (request, reply) => {
    const keys = await keysFor(request)
    return reply
      .headers(HEADERS)
      .header('content-type', 'application/jwk-set+json')
      .send(JSON.stringify(keys))
  })
  server.get('/.well-known/oauth-authorization-server', (request, reply) => {
    const issuer = sameOrigin.originFor(request)
    return reply.headers(HEADERS).send({
      issuer,
      token_endpoint: issuer + ROUTES.exchangeToken.path,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      grant_types_supported: [TOKEN_EXCHANGE],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['none'],
      service_documentation: `${issuer}/docs/automation`,
    })
  })
  server.get('/.well-known/oauth-protected-resource', (request, reply) => {
    const resource = sameOrigin.originFor(request)
    return reply.headers(HEADERS).send({
      resource,
      authorization_servers: [resource],
      bearer_methods_supported: ['header'],
      resource_documentation: `${resource}/docs/automation`,
    })
  })
}
