import { CREDENTIAL_KINDS, type CredentialKind } from '@bearing/access/credential-kinds'
import { DEVICE_CERTIFICATE_MESSAGES } from '@bearing/access/device-certificates'
import { DEVICE_TOKEN_MESSAGES } from '@bearing/access/device-tokens'
import { OperationError } from '@bearing/contracts/errors'
import type {
  DEVICE_CERTIFICATE_REFUSALS,
  DEVICE_TOKEN_REFUSALS,
} from '@bearing/contracts/identity/credentials/credential'

export type RefusalReason =
  | (
      | 'malformed'
      | 'unknown'
      | 'expired'
      | 'second_factor_required'
      | 'organization_deleted'
      | 'project_deleted'
    )
  | (typeof DEVICE_TOKEN_REFUSALS)[number]
  | (typeof DEVICE_CERTIFICATE_REFUSALS)[number]

export function refusedCredential(kind: CredentialKind, reason: RefusalReason): OperationError {
  const { noun, advice } = CREDENTIAL_KINDS[kind]
  const messages: Partial<Record<RefusalReason, string>> = DEVICE_TOKEN_MESSAGES
  if (kind === 'device_token' && messages[reason] !== undefined) return refusedDeviceToken(messages[reason])
  const ofCertificates: Partial<Record<RefusalReason, string>> = DEVICE_CERTIFICATE_MESSAGES
  if (kind === 'device_certificate' && ofCertificates[reason] !== undefined)
    return new OperationError('device_certificate_invalid', ofCertificates[reason])
  switch (reason) {
    case 'malformed':
      return new OperationError(
        'credential_malformed',
        `The ${noun} does not have the right form: it is mistyped or cut off.`,
      )
    case 'expired':
      if (kind === 'legacy_token') return retired()
      return new OperationError('credential_expired', `The ${noun} has expired. ${advice}`)
    case 'second_factor_required':
      return new OperationError(
        'second_factor_required',
        'The account has a second factor, so its password alone is not accepted. Use a user API key, or sign in with a browser.',
      )
    case 'organization_deleted':
    case 'project_deleted':
      return deleted(reason)
    default:
      return new OperationError(
        'credential_invalid',
        `There is no such ${noun}. It may have been deleted, replaced or ended.`,
      )
  }
}

/** Seconds after which a device tries again whether its organization or project was restored: one hour. */
const RETRY_DELETED_S = 3_600

/** Neither 401 nor a final answer for devices: the credential works again if the organization or project is restored. */
function deleted(code: 'organization_deleted' | 'project_deleted'): OperationError {
  const what = code === 'organization_deleted' ? 'organization' : 'project'
  return new OperationError(
    code,
    `The ${what} of this credential was deleted. An admin of the organization can restore it until its erasure; the credential works again then. Keep it.`,
    { retry_after: RETRY_DELETED_S },
  )
}

/**
 * Returns the error for a project key that is refused on a device route: 403, because devices erase their key on 401.
 *
 * @param detail why it cannot be one
 */
export function refusedDevice(
  detail = 'The project key is not valid. It may have been rotated.',
): OperationError {
  return new OperationError('project_key_invalid', detail)
}

/** Returns the error for a token of a device: 403 for the same reason. */
export function refusedDeviceToken(detail: string): OperationError {
  return new OperationError('device_token_invalid', detail)
}

/** Returns the error for a project key in a header that is not configured. @param names accepted headers */
export function unknownKeyHeader(names: readonly string[]): OperationError {
  return new OperationError(
    'project_key_invalid',
    `This installation does not accept the header that the project key is in. Send the key as ${names.join(' or ')}, or add the name to PROJECT_KEY_HEADERS of the gateway.`,
  )
}

function retired(): OperationError {
  return new OperationError(
    'legacy_token_retired',
    'Legacy location tokens of this organization have stopped working. Send an organization auth token, or let the project key of the device ask for locations: /docs/legacy-tokens says how.',
  )
}
