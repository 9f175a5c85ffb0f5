import { Transform, type Readable } from 'node:stream'
import { OperationError } from '@bearing/contracts/errors'
import { ROUTES } from '@bearing/contracts/routes'
import type { FastifyInstance } from 'fastify'
import type { RouteConfig } from '../routing/route-config.js'

/** Bodies up to this length are not counted, in bytes: ten thousand of them are not much. */
const SMALL = 16 * 1024

/**
 * Bounds what bodies with chunks hold of memory while they come in: whoever sends slowly, or many at once, is told to come again
 * later. What has not come yet counts nothing.
 *
 * @param maxBytes of all such bodies together
 */
export function boundBodies(server: FastifyInstance, maxBytes: number): void {
  let held = 0
  server.addHook('preParsing', (request, reply, payload, done) => {
    const { name } = request.routeOptions.config as unknown as Partial<RouteConfig> // set for every route of the table
    if (name !== 'sendChunks' || Number(request.headers['content-length'] ?? Infinity) <= SMALL) {
      done(null, payload)
      return
    }
    let mine = 0
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        mine += chunk.length
        held += chunk.length
        if (held > maxBytes) next(tooMany())
        else next(null, chunk)
      },
    })
    reply.raw.once('close', () => {
      held -= mine
      mine = 0
      counted.destroy()
    })
    payload.once('error', (error: Error) => counted.destroy(error))
    payload.once('aborted', () => counted.destroy(new Error('the client has gone')))
    done(null, payload.pipe(counted) as Readable)
  })
}

function tooMany(): OperationError {
  return new OperationError(
    'overloaded',
    `More is being sent at the moment than there is room for. Send it again shortly: at most ${String(ROUTES.sendChunks.bodyLimit)} bytes at once.`,
    { retry_after: 5 },
  )
}
