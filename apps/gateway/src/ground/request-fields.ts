import { callFields, type CallFields } from '@bearing/service/observe/logger'
import type { FastifyRequest } from 'fastify'

/** Returns the fields of every log line about a request. The services log the same fields. */
export function requestFields({ id, traceparent, organizationId, caller }: FastifyRequest): CallFields {
  const principal = caller?.principal
  return callFields({
    requestId: id,
    traceparent,
    organizationId:
      organizationId ?? (principal && 'organization_id' in principal ? principal.organization_id : undefined),
    principal,
  })
}
