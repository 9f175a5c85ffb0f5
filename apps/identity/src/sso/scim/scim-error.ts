import { OperationError } from '@bearing/contracts/errors'
import type { ScimType } from '@bearing/contracts/identity/sso/scim'

/** The request is wrong in the way that RFC 7644 §3.12 names. */
export function scimInvalid(reason: ScimType, message: string): OperationError {
  return new OperationError('scim_request_invalid', message, { reason })
}

export function scimNotFound(): OperationError {
  return new OperationError('scim_resource_not_found', 'There is no such resource in this connection.')
}
