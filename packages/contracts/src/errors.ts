import type { AccessPointCounts } from './location/location.js'
import type { QuotaUse } from './quota-use.js'

/**
 * Every error code of Bearing: the HTTP status the gateway answers with, and the title of its page in docs/errors.
 * The list is closed: an error with another code does not compile, and each code has a page (tested).
 */
export const ERRORS = {
  invalid_input: { status: 400, title: 'The input has mistakes' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  multiple_credentials: { status: 400, title: 'More than one credential was sent' },
  credential_in_query: { status: 400, title: 'A credential was sent in the URL' },
  sso_provider_unusable: { status: 400, title: 'The identity provider cannot be used' },
  malformed_chunks: { status: 400, title: 'The chunks cannot be told apart' },
  nothing_usable: { status: 400, title: 'Nothing in the request can be located' },
  too_few_access_points: { status: 400, title: 'Too few usable access points in the scan' },
  upload_too_large: { status: 400, title: 'The uploaded file is too big' },
  upload_mismatch: { status: 400, title: 'The uploaded file is not the one that was announced' },
  upload_incomplete: { status: 400, title: 'No file was put yet' },
  symbols_invalid: { status: 400, title: 'The file is no ELF file with a GNU build id' },
  credential_missing: { status: 401, title: 'No credential was sent' },
  credential_malformed: { status: 401, title: 'The credential is not well formed' },
  credential_invalid: { status: 401, title: 'The credential is not valid' },
  credential_expired: { status: 401, title: 'The credential has expired' },
  legacy_token_retired: { status: 401, title: 'Legacy location tokens are not accepted any more' },
  second_factor_needed: { status: 401, title: 'Signing in takes the second factor too' },
  upload_url_invalid: { status: 403, title: 'The upload address does not work' },
  project_key_invalid: { status: 403, title: 'The project key is not valid' },
  project_key_required: { status: 403, title: 'Only a device may do this, with a project key' },
  device_not_known: { status: 403, title: 'The project lets only known devices send' },
  permission_denied: { status: 403, title: 'The caller may not do this' },
  address_not_allowed: { status: 403, title: 'The organization token may not be used from this address' },
  password_incorrect: { status: 403, title: 'The current password is not right' },
  csrf_refused: { status: 403, title: 'The request does not prove that it comes from our own page' },
  second_factor_invalid: { status: 403, title: 'The code of the second factor is not valid' },
  second_factor_required: { status: 403, title: 'A second factor is required' },
  user_required: { status: 403, title: 'Only a user may do this' },
  recent_sign_in_required: { status: 403, title: 'Recent sign-in required' },
  sso_required: { status: 403, title: 'The organization requires single sign-on' },
  sso_failed: { status: 403, title: 'The single sign-on could not be completed' },
  sso_access_denied: { status: 403, title: 'The account is not let in by single sign-on' },
  route_not_found: { status: 404, title: 'There is nothing at this address' },
  organization_not_found: { status: 404, title: 'No such organization' },
  project_not_found: { status: 404, title: 'No such project' },
  organization_token_not_found: { status: 404, title: 'No such organization token' },
  legacy_token_not_found: { status: 404, title: 'No such legacy location token' },
  user_key_not_found: { status: 404, title: 'The user has no API key' },
  session_not_found: { status: 404, title: 'No such session' },
  second_factor_not_found: { status: 404, title: 'The user has no second factor' },
  sso_connection_not_found: { status: 404, title: 'No such single sign-on connection' },
  partner_team_not_found: { status: 404, title: 'The session did not come with a team of a partner' },
  partner_link_not_found: { status: 404, title: 'No team asks for this link' },
  sso_identity_not_found: { status: 404, title: 'The account is not linked there' },
  sso_domain_not_found: { status: 404, title: 'The organization has not named this domain' },
  user_not_found: { status: 404, title: 'No such user' },
  member_not_found: { status: 404, title: 'No such member' },
  invitation_not_found: { status: 404, title: 'No such invitation' },
  password_reset_not_found: { status: 404, title: 'The link does not work any more' },
  device_not_found: { status: 404, title: 'No such device' },
  chunk_not_found: { status: 404, title: 'No such chunk' },
  import_not_found: { status: 404, title: 'No such import' },
  location_not_found: { status: 404, title: 'The position cannot be determined' },
  position_not_found: { status: 404, title: 'No position of the device is stored' },
  upload_not_found: { status: 404, title: 'No such upload' },
  file_not_found: { status: 404, title: 'No such file' },
  webhook_not_found: { status: 404, title: 'No such webhook' },
  symbols_not_found: { status: 404, title: 'No symbols with this build id' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  slug_taken: { status: 409, title: 'The slug is taken' },
  email_taken: { status: 409, title: 'The e-mail address is taken' },
  organization_token_conflict: { status: 409, title: 'The organization token cannot be rotated any more' },
  already_member: { status: 409, title: 'The organization has this member already' },
  invitation_pending: { status: 409, title: 'There is an invitation already' },
  second_factor_exists: { status: 409, title: 'The user has a second factor already' },
  sso_connection_needed: {
    status: 409,
    title: 'The organization requires single sign-on and would have none',
  },
  partner_team_linked: { status: 409, title: 'The team has an organization already' },
  sso_identity_taken: { status: 409, title: 'Somebody else is linked there already' },
  sso_domain_unverified: { status: 409, title: 'The domain does not have the record' },
  already_bootstrapped: { status: 409, title: 'There are users already' },
  last_admin: { status: 409, title: 'The organization would be without an admin' },
  too_many_areas: { status: 409, title: 'No more areas can be forgotten' },
  import_conflict: { status: 409, title: 'The import is in another state' },
  too_many_organizations: { status: 409, title: 'The account cannot be in more organizations' },
  quota_exceeded: { status: 409, title: 'Limit reached' },
  too_many_webhooks: { status: 409, title: 'The project cannot have more webhooks' },
  file_conflict: { status: 409, title: 'The upload was already committed' },
  invitation_ended: { status: 410, title: 'The invitation is over' },
  length_required: { status: 411, title: 'The length of the body is missing' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  /** The gateway tells devices 503: they take everything else below 500 for final. */
  rate_limited: { status: 429, title: 'Too often, for now' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  reply_too_large: { status: 500, title: 'The reply is too large to send' },
  mail_not_configured: { status: 501, title: 'This Bearing cannot send mail' },
  storage_quota_exceeded: { status: 507, title: 'Storage quota exceeded' },
  overloaded: { status: 503, title: 'Too much to do at the moment' },
  service_unavailable: { status: 503, title: 'A part of the service cannot be reached' },
  deadline_exceeded: { status: 503, title: 'The answer did not come in time' },
} as const satisfies Record<string, { status: number; title: string }>

/** A code of {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS

/** All codes, in the order of {@link ERRORS}. */
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[]

/** Whether a text is one of {@link ERROR_CODES}. */
export function isErrorCode(text: unknown): text is ErrorCode {
  return typeof text === 'string' && Object.hasOwn(ERRORS, text)
}

/** One mistake in an input: where (JSON pointer, RFC 6901, into the input) and what is wrong. */
export interface Mistake {
  readonly pointer: string
  readonly detail: string
}

/** What an error carries besides its code and sentence. All of it is shown to the caller. */
export interface ErrorDetails {
  /** The mistakes of a bad input. */
  readonly errors?: readonly Mistake[]
  /** A machine-readable reason that narrows the code, for example `none_known` of `location_not_found`. */
  readonly reason?: string
  /** Seconds after which trying again makes sense. */
  readonly retry_after?: number
  /** Of a scan that cannot be located: how many access points it has, and how many of them count. */
  readonly accessPoints?: AccessPointCounts
  /** Of a quota that is used up. */
  readonly quota?: QuotaUse
}

/**
 * An error that belongs to the contract: it crosses NATS and becomes a problem document at the gateway. Its message is
 * shown to the caller, so it never holds a secret or an internal name. Every other error is `internal`: logged with
 * its cause, shown to nobody.
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

  /** The HTTP status that the code stands for. */
  get status(): number {
    return ERRORS[this.code].status
  }
}

/** Returns the error for one field that is not valid. @param pointer of the field (JSON pointer, RFC 6901) */
export function invalidInput(pointer: string, detail: string): OperationError {
  return new OperationError('invalid_input', `${pointer} ${detail}`, { errors: [{ pointer, detail }] })
}
