import type { Inflation } from '@bearing/service/ground/inflation'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CompressedBytes } from '../../ground/limits/compressed-bytes.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the body in memory was inflated. */
    inflation?: Inflation
  }
}

/** Returns whether a content coding is gzip. */
export function isGzip(coding: string): boolean {
  return /^(?:x-)?gzip$/i.test(coding.trim())
}

/** Charges compressed bodies that are read into memory. Uploads charge theirs themselves. */
export function chargeCompressed(server: FastifyInstance, compressed: CompressedBytes): void {
  server.decorateRequest('inflation', undefined)
  server.addHook('preHandler', (request, reply, next) => {
    const payer = request.bodyShare && payerOf(request)
    if (payer === undefined || !isGzip(request.headers['content-encoding'] ?? '')) {
      next()
      return
    }
    reply.raw.once('close', () => {
      if (request.inflation) void compressed.charge(payer, request.inflation)
    })
    compressed.refuse(payer).then(() => {
      next()
    }, next)
  })
}

/** Returns the id of the organization or user that pays for a body. */
function payerOf({ route, caller }: FastifyRequest): string | undefined {
  if (route?.dialect !== 'geolocation' || !caller) return undefined
  const { principal } = caller
  if (principal.kind === 'service') return undefined
  return principal.kind === 'user' ? principal.user_id : principal.organization_id
}
