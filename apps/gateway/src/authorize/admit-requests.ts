import type { RequestOutcome } from '@bearing/contracts/identity/credentials/request-usage'
import type { Principal } from '@bearing/contracts/principal'
import { Metrics } from '@bearing/service/observe/metrics'
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
  /** Since the process started. */
  private readonly totals: Record<RequestOutcome, number> = {
    ok: 0,
    invalid: 0,
    denied: 0,
    limited: 0,
    failed: 0,
  }

  constructor(
    private readonly admission: Admission,
    private readonly authorization: Authorization,
    private readonly quotas: RequestQuotas,
    private readonly usage: RequestUsage,
    metrics: Metrics,
  ) {
    metrics.totals(
      'bearing_requests_total',
      'Requests of organizations, by outcome.',
      ['outcome'],
      this.totals,
    )
  }

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
        return this.quotas.countOrganization(scope.organization_id, caller.principal.kind, reply)
      }
      options.onResponse = (request, reply, done) => {
        this.count(request, reply.statusCode)
        done()
      }
    })
  }

  /** Counts a request of its organization. If it was refused, its credential says whose it is; a user's does not. */
  private count({ authorized, caller }: FastifyRequest, status: number): void {
    if (!caller) return
    const { principal } = caller
    if (authorized) {
      const organizationId = authorized.scope?.organization_id
      if (organizationId) this.note(organizationId, principal, outcomeOf(status))
    } else if ('organization_id' in principal && DENIED.has(status))
      this.note(principal.organization_id, principal, 'denied')
  }

  private note(organizationId: string, principal: Principal, outcome: RequestOutcome): void {
    this.totals[outcome]++
    this.usage.note(organizationId, principal, outcome)
  }
}

/** Statuses of a request without permission, or whose credential does not reach the resource. */
const DENIED: ReadonlySet<number> = new Set([401, 403, 404])

function outcomeOf(status: number): RequestOutcome {
  if (status < 400) return 'ok'
  if (status === 429) return 'limited'
  return status < 500 ? 'invalid' : 'failed'
}

/** Fastify rejects an empty content type, and one without a slash. Bytes at a signed URL may have any. */
function acceptAnyType({ raw: { headers } }: FastifyRequest, isSigned: boolean): void {
  if (isSigned || headers['content-type']?.trim() === '') delete headers['content-type']
}
