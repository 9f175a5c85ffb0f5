import { Injectable } from '@nestjs/common'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Admission } from '../authenticate/admission.js'
import { allowOrigin } from '../ground/cross-origin.js'
import { RequestQuotas } from '../ground/limits/request-quotas.js'
import { Authorization } from './authorization.js'
import { RequestUsage } from './request-usage.js'

/** Admits and authorizes every request to a route of the table. */
@Injectable()
export class AdmitRequests {
  constructor(
    private readonly admission: Admission,
    private readonly authorization: Authorization,
    private readonly quotas: RequestQuotas,
    private readonly usage: RequestUsage,
  ) {}

  /** Adds a hook to each route, instead of a Nest guard: guards run after the body was read. */
  addTo(server: FastifyInstance): void {
    server.addHook('onRoute', (options) => {
      const { route } = options.config ?? {}
      if (!route) return
      options.onRequest = async (request, reply) => {
        request.route = route
        allowOrigin(request, reply, route)
        acceptAnyType(request, route.signedAddress)
        await this.admission.admit(request, reply, route)
        const { caller, scope } = await this.authorization.authorize(request, route)
        if (!caller || !scope?.organization_id) return
        this.usage.note(scope.organization_id, caller.principal)
        return this.quotas.countOrganization(scope.organization_id, caller.principal.kind, reply)
      }
    })
  }
}

/** Fastify rejects an empty content type, and one without a slash. Bytes at a signed URL may have any. */
function acceptAnyType({ raw: { headers } }: FastifyRequest, isSigned: boolean): void {
  if (isSigned || headers['content-type']?.trim() === '') delete headers['content-type']
}
