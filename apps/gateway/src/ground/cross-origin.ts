import type { Route } from '@bearing/contracts/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Names of headers, as a browser lists them. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+)*$/
const MAX_NAMES_LENGTH = 1_024
/** Time for which a browser caches the reply to a preflight, in seconds: the most that any does. */
const MAX_AGE_S = 86_400

/** Headers of replies that pages may read. */
const EXPOSED = 'retry-after, x-request-id'

/**
 * Lets pages of every origin use the routes of devices (Fetch standard, CORS protocol): on these no cookie is a credential, so a page can
 * send only a key that it has. Browsers get no permission to add credentials. Other routes get none of these headers.
 */
export function allowOtherOrigins(server: FastifyInstance): void {
  const methods = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ config }) => {
    const route = config?.route
    if (!route?.device) return
    const known = methods.get(route.path)
    if (known) {
      known.add(route.method)
      return
    }
    const allowed = new Set<string>([route.method])
    methods.set(route.path, allowed)
    server.route({
      method: 'OPTIONS',
      url: route.path,
      handler: (request, reply) => {
        preflight(request, reply, [...allowed].join(', '))
      },
    })
  })
}

/** Adds the header that lets a page read a reply. Programs send no `Origin`, and get none. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  { device }: Pick<Route, 'device'>,
): void {
  if (!device || request.headers.origin === undefined) return
  void reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED)
}

function preflight({ headers }: FastifyRequest, reply: FastifyReply, methods: string): void {
  const names = headers['access-control-request-headers'] ?? ''
  // `*` would not stand for Authorization.
  const isList = names.length <= MAX_NAMES_LENGTH && HEADER_NAMES.test(names)
  void reply
    .code(204)
    .headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': methods,
      ...(isList && { 'access-control-allow-headers': names }),
      'access-control-max-age': String(MAX_AGE_S),
      allow: `${methods}, OPTIONS`,
    })
    .send()
}
