import type { OperationError } from '@bearing/contracts/errors'

/** The error format of SCIM (RFC 7644 §3.12). */
export interface ScimError {
  readonly schemas: readonly string[]
  readonly status: string
  readonly scimType?: string
  readonly detail: string
}

export function scimErrorOf({ code, status, message, details }: OperationError): ScimError {
  const scimType = code === 'scim_resource_taken' ? 'uniqueness' : kindOf(code, details.reason)
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType !== undefined && { scimType }),
    detail: message,
  }
}

function kindOf(code: string, reason: string | undefined): string | undefined {
  if (code === 'scim_request_invalid') return reason
  if (code === 'malformed_json') return 'invalidSyntax'
  return code === 'invalid_input' ? 'invalidValue' : undefined
}
