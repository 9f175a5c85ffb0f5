import { OperationError } from '@bearing/contracts/errors'
import { NotFoundException } from '@nestjs/common'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../config.js'
import { configOf } from '../ground/route-config.js'
import { unrouted } from '../problems/unrouted.js'
import type { PassThrough } from './pass-through.js'

const PATH = '/api/v0/*'

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0]
type Handler = Parameters<ReturnType<Strategy['storage']>['set']>[1]

/** Adds a route for all device routes that Bearing does not have, which only requests with a project key match. */
export function serveOtherRoutes(
  server: FastifyInstance,
  passThrough: PassThrough,
  { PASS_THROUGH, PROJECT_KEY_HEADERS }: Pick<Settings, 'PASS_THROUGH' | 'PROJECT_KEY_HEADERS'>,
): void {
  if (PASS_THROUGH.size === 0) return
  const names = PROJECT_KEY_HEADERS.map((name) => name.toLowerCase())
  server.addConstraintStrategy({
    name: 'hasProjectKey',
    storage: () => {
      const handlers = new Map<unknown, Handler>()
      return {
        get: (value) => handlers.get(value) ?? null,
        set: (value, handler) => handlers.set(value, handler),
      }
    },
    deriveConstraint: ({ headers }) => names.some((name) => headers[name] !== undefined) || undefined,
  })
  const { route } = configOf('sendChunks')
  server.route({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: PATH,
    constraints: { hasProjectKey: true },
    config: { route: { ...route, name: 'passThrough', path: PATH } },
    handler: async (request, reply) => {
      // Bearing serves the path, with another method.
      if (unrouted(request.method, request.url).allow !== undefined) throw new NotFoundException()
      const outcome = await passThrough.streamed(request, reply)
      if (outcome === 'answered') return
      if (outcome === 'refused' || !passThrough.originFor(request)) throw new NotFoundException()
      throw new OperationError(
        'service_unavailable',
        'The service that answers this request cannot be reached at the moment. Try again shortly.',
        { retry_after: 5 },
      )
    },
  })
}
