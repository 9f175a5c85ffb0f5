import type { AccessPointCounts, QuotaUse } from './errors/error-details.js'
import type { Mistake } from './errors/mistake.js'

export type { Mistake } from './errors/mistake.js'

/** Every error code, with its HTTP status and the title of its page in docs/errors. */
export const ERRORS = {
  invalid_input: { status: 400, title: 'Invalid input' },
  malformed_json: { status: 400, title: 'Malformed JSON' },
  multiple_credentials: { status: 400, title: 'More than one credential' },
  credential_in_query: { status: 400, title: 'Credential in the URL' },
  sso_provider_unusable: { status: 400, title: 'Identity provider not usable' },
  malformed_chunks: { status: 400, title: 'Malformed chunks' },
  nothing_usable: { status: 400, title: 'No usable readings in the request' },
  too_few_access_points: { status: 400, title: 'Too few usable access points' },
  authorization_pending: { status: 400, title: 'Login not allowed yet' },
  slow_down: { status: 400, title: 'Polled too often' },
  access_denied: { status: 400, title: 'Login denied' },
  expired_token: { status: 400, title: 'Login expired' },
  scim_request_invalid: { status: 400, title: 'Invalid SCIM request' },
  token_exchange_refused: { status: 400, title: 'Token exchange refused' },
  upload_too_large: { status: 400, title: 'Upload too large' },
  upload_mismatch: { status: 400, title: 'Upload does not match its announcement' },
  upload_incomplete: { status: 400, title: 'Upload incomplete' },
  symbols_invalid: { status: 400, title: 'Symbols without a build id' },
  credential_missing: { status: 401, title: 'No credential' },
  credential_malformed: { status: 401, title: 'Malformed credential' },
  credential_invalid: { status: 401, title: 'Invalid credential' },
  credential_expired: { status: 401, title: 'Expired credential' },
  legacy_token_retired: { status: 401, title: 'Legacy location tokens no longer accepted' },
  second_factor_needed: { status: 401, title: 'Second factor needed to sign in' },
  upload_url_invalid: { status: 403, title: 'Invalid upload URL' },
  project_key_invalid: { status: 403, title: 'Invalid project key' },
  device_token_invalid: { status: 403, title: 'Invalid device token' },
  device_claim_refused: { status: 403, title: 'Device claim refused' },
  device_certificate_invalid: { status: 403, title: 'Invalid device certificate' },
  device_identity_required: { status: 403, title: 'Device identity required' },
  project_key_required: { status: 403, title: 'Project key required' },
  device_not_known: { status: 403, title: 'Unknown device' },
  permission_denied: { status: 403, title: 'Permission denied' },
  administration_forbidden: { status: 403, title: 'Administration by tokens forbidden' },
  address_not_allowed: { status: 403, title: 'IP address not allowed' },
  password_incorrect: { status: 403, title: 'Incorrect password' },
  csrf_refused: { status: 403, title: 'Cross-site request refused' },
  second_factor_invalid: { status: 403, title: 'Invalid code of the second factor' },
  second_factor_required: { status: 403, title: 'Second factor required' },
  user_required: { status: 403, title: 'User required' },
  recent_sign_in_required: { status: 403, title: 'Recent sign-in required' },
  sso_required: { status: 403, title: 'Single sign-on required' },
  device_login_refused: { status: 403, title: 'Command-line sign-in refused' },
  sso_failed: { status: 403, title: 'Single sign-on failed' },
  /** Devices get 503 instead: they keep their key and their data until the organization or project is restored. */
  organization_deleted: { status: 403, title: 'Organization deleted' },
  project_deleted: { status: 403, title: 'Project deleted' },
  sso_access_denied: { status: 403, title: 'Access denied by single sign-on' },
  route_not_found: { status: 404, title: 'Route not found' },
  organization_not_found: { status: 404, title: 'Organization not found' },
  project_not_found: { status: 404, title: 'Project not found' },
  organization_token_not_found: { status: 404, title: 'Organization token not found' },
  workload_trust_not_found: { status: 404, title: 'Workload trust not found' },
  legacy_token_not_found: { status: 404, title: 'Legacy location token not found' },
  user_key_not_found: { status: 404, title: 'API key not found' },
  login_not_found: { status: 404, title: 'Login not found' },
  session_not_found: { status: 404, title: 'Session not found' },
  second_factor_not_found: { status: 404, title: 'Second factor not found' },
  sso_connection_not_found: { status: 404, title: 'Single sign-on connection not found' },
  partner_team_not_found: { status: 404, title: 'Partner team not found' },
  partner_link_not_found: { status: 404, title: 'Partner link not found' },
  scim_resource_not_found: { status: 404, title: 'SCIM resource not found' },
  sso_identity_not_found: { status: 404, title: 'Linked account not found' },
  sso_domain_not_found: { status: 404, title: 'Domain not found' },
  user_not_found: { status: 404, title: 'User not found' },
  member_not_found: { status: 404, title: 'Member not found' },
  invitation_not_found: { status: 404, title: 'Invitation not found' },
  email_change_not_found: { status: 404, title: 'Email change link not found' },
  password_reset_not_found: { status: 404, title: 'Password reset link not found' },
  device_not_found: { status: 404, title: 'Device not found' },
  device_claim_not_found: { status: 404, title: 'Device claim not found' },
  onboarding_token_not_found: { status: 404, title: 'Onboarding token not found' },
  device_ca_not_found: { status: 404, title: 'CA certificate not found' },
  device_key_not_found: { status: 404, title: 'Device key not found' },
  attribute_not_found: { status: 404, title: 'Attribute not declared' },
  chunk_not_found: { status: 404, title: 'Chunk not found' },
  import_not_found: { status: 404, title: 'Import not found' },
  location_not_found: { status: 404, title: 'Location not found' },
  position_not_found: { status: 404, title: 'Position not found' },
  upload_not_found: { status: 404, title: 'Upload not found' },
  file_not_found: { status: 404, title: 'File not found' },
  webhook_not_found: { status: 404, title: 'Webhook not found' },
  delivery_not_found: { status: 404, title: 'Delivery not found' },
  deletion_not_found: { status: 404, title: 'Deletion not found' },
  symbols_not_found: { status: 404, title: 'Symbols not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  slug_taken: { status: 409, title: 'Slug already used' },
  slug_reserved: { status: 409, title: 'Slug reserved' },
  selection_changed: { status: 409, title: 'Selection of devices changed' },
  project_key_taken: { status: 409, title: 'Project key already used' },
  device_claim_conflict: { status: 409, title: 'Device already claimed' },
  device_ca_taken: { status: 409, title: 'CA key already registered' },
  device_key_taken: { status: 409, title: 'Public key already registered' },
  attribute_conflict: { status: 409, title: 'Attribute of another type' },
  email_taken: { status: 409, title: 'Email address already used' },
  organization_token_conflict: { status: 409, title: 'Organization token cannot be rotated' },
  already_member: { status: 409, title: 'Already a member' },
  invitation_pending: { status: 409, title: 'Invitation already pending' },
  second_factor_exists: { status: 409, title: 'Second factor already set up' },
  sso_connection_needed: { status: 409, title: 'Last connection of a required single sign-on' },
  partner_team_linked: { status: 409, title: 'Partner team already linked' },
  scim_resource_taken: { status: 409, title: 'SCIM resource already exists' },
  sso_identity_taken: { status: 409, title: 'Account already linked to another user' },
  sso_domain_unverified: { status: 409, title: 'Domain not verified' },
  already_bootstrapped: { status: 409, title: 'Already bootstrapped' },
  role_from_provider: { status: 409, title: 'Role from the identity provider' },
  last_admin: { status: 409, title: 'Last admin of the organization' },
  erasure_started: { status: 409, title: 'Erasure started' },
  too_many_areas: { status: 409, title: 'Too many erased areas' },
  import_conflict: { status: 409, title: 'Import in another state' },
  too_many_organizations: { status: 409, title: 'Too many organizations' },
  quota_exceeded: { status: 409, title: 'Quota exceeded' },
  too_many_webhooks: { status: 409, title: 'Too many webhooks' },
  delivery_unavailable: { status: 409, title: 'Delivery cannot be sent again' },
  idempotency_conflict: { status: 409, title: 'Idempotency key already used' },
  file_conflict: { status: 409, title: 'Upload already committed' },
  invitation_ended: { status: 410, title: 'Invitation ended' },
  length_required: { status: 411, title: 'Length required' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  /** Devices get 503 instead: they do not repeat a request after a status below 500. */
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'URL or headers too large' },
  internal: { status: 500, title: 'Internal error' },
  reply_too_large: { status: 500, title: 'Reply too large' },
  mail_not_configured: { status: 501, title: 'Mail not configured' },
  storage_quota_exceeded: { status: 507, title: 'Storage quota exceeded' },
  overloaded: { status: 503, title: 'Service overloaded' },
  service_unavailable: { status: 503, title: 'Service unavailable' },
  deadline_exceeded: { status: 503, title: 'Deadline exceeded' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof ERRORS

/** All codes, in the order of {@link ERRORS}. */
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[]

export function isErrorCode(text: unknown): text is ErrorCode {
  return typeof text === 'string' && Object.hasOwn(ERRORS, text)
}

/** Further fields of an error. The caller sees all of them. */
export interface ErrorDetails {
  /** The mistakes of a bad input. */
  readonly errors?: readonly Mistake[]
  /** A machine-readable reason that narrows the code, for example `none_known` of `location_not_found`. */
  readonly reason?: string
  /** Seconds after which to retry. */
  readonly retry_after?: number
  /** For a scan that cannot be located: how many access points it has, and how many of them are usable. */
  readonly accessPoints?: AccessPointCounts
  /** The quota that is used up. */
  readonly quota?: QuotaUse
}

/**
 * An error of the contract: it crosses NATS, and the gateway renders it as a problem document. The caller sees its message, which
 * therefore contains no secret and no internal name. Every other error becomes `internal`, and only its log line has the cause.
 */
export class OperationError extends Error {
  override readonly name = 'OperationError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** Returns the error for one field that is not valid. @param pointer of the field (JSON pointer, RFC 6901) */
export function invalidInput(pointer: string, detail: string): OperationError {
  return new OperationError('invalid_input', `${pointer} ${detail}`, { errors: [{ pointer, detail }] })
}

/** Does nothing if there are no mistakes. @throws OperationError `invalid_input` with all of them */
export function refuseMistakes(errors: readonly Mistake[]): void {
  const [first] = errors
  if (first) throw new OperationError('invalid_input', `${first.pointer} ${first.detail}`, { errors })
}
