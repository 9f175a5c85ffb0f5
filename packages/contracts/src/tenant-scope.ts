import { z } from 'zod'
import { operation } from './operation.js'
import { Id } from './primitives.js'

export const TenantScope = { organization_id: Id, project_id: Id.nullable() }

/** The project id of states and tombstones that are about a whole organization: part of a primary key cannot be null. */
export const WHOLE_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

const ErasureRequest = z.object({
  ...TenantScope,
  version: z.int().min(1),
})

const ErasureReply = z.object({
  erased: z.int().min(0).describe('Rows that this call erased.'),
  remaining: z.int().min(0).describe('How many are left, at least: 0 if and only if nothing is left.'),
})

/**
 * Declares the operation that erases one batch of what a service has of an organization or a project. It writes a tombstone first:
 * what arrives later is discarded. Idempotent; management repeats it until nothing is left.
 */
export function eraseTenantOf(service: 'identity' | 'location') {
  return operation({
    subject: `${service}.v1.tenant.erase`,
    summary: `Erase a batch of what ${service} has of an organization or project`,
    input: ErasureRequest,
    output: ErasureReply,
    errors: [],
    permission: 'internal',
    timeoutMs: 20_000,
  })
}
