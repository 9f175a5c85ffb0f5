import type { Decision, Introspected } from '@bearing/contracts/identity/credentials/credential'
import type { Permission } from '@bearing/contracts/permission'
import type { Principal } from '@bearing/contracts/principal'
import { DEVICE_CERTIFICATE_MESSAGES } from './device-certificates.js'
import { DEVICE_TOKEN_MESSAGES } from './device-tokens.js'
import { isAllowedFrom } from './allowed-from.js'
import { refusal, type Resource } from './authorize.js'
import { hasExpired } from './expiry.js'

type Refusal = Extract<Decision, { allowed: false }>
type Refused = Extract<Introspected, { active: false }>

/** The reason for a refusal. */
export type WhyNot = Refused['reason'] | NonNullable<Refused['because']>

export interface Wanted extends Resource {
  readonly permission: Permission
}

export interface Circumstances {
  readonly nowMs: number
  /** The IP address of the client; `checked` if a gateway has checked it. */
  readonly from: { readonly address: string | undefined } | 'checked'
}

const REFUSALS = {
  malformed: {
    allowed: false,
    code: 'credential_malformed',
    reason: 'The credential is not well formed: it is mistyped or cut off.',
  },
  unknown: {
    allowed: false,
    code: 'credential_invalid',
    reason: 'There is no such credential. It may have been deleted or replaced.',
  },
  expired: { allowed: false, code: 'credential_expired', reason: 'The credential has expired.' },
  second_factor_required: {
    allowed: false,
    code: 'second_factor_required',
    reason: 'The account has a second factor: the password alone is not enough. Use an API key or a session.',
  },
  organization_deleted: {
    allowed: false,
    code: 'organization_deleted',
    reason: 'The organization was deleted. One of its admins can restore it until its erasure.',
  },
  project_deleted: {
    allowed: false,
    code: 'project_deleted',
    reason: 'The project was deleted. An admin of the organization can restore it until its erasure.',
  },
  device_identity_off: deviceToken('device_identity_off'),
  device_token_from_future: deviceToken('device_token_from_future'),
  device_token_too_long: deviceToken('device_token_too_long'),
  device_token_without_expiry: deviceToken('device_token_without_expiry'),
  device_token_for_other: deviceToken('device_token_for_other'),
  device_certificate_not_registered: deviceCertificate('device_certificate_not_registered'),
  device_certificate_for_other: deviceCertificate('device_certificate_for_other'),
} as const satisfies Record<WhyNot, Refusal>

function deviceToken(reason: keyof typeof DEVICE_TOKEN_MESSAGES) {
  return { allowed: false, code: 'device_token_invalid', reason: DEVICE_TOKEN_MESSAGES[reason] } as const
}

function deviceCertificate(reason: keyof typeof DEVICE_CERTIFICATE_MESSAGES) {
  return {
    allowed: false,
    code: 'device_certificate_invalid',
    reason: DEVICE_CERTIFICATE_MESSAGES[reason],
  } as const
}

/** Returns the refusal of a credential. A reason that only a newer version of identity knows is refused like `unknown`. */
export function refuse(reason: WhyNot): Refusal {
  const refusals: Partial<Record<string, Refusal>> = REFUSALS
  return refusals[reason] ?? REFUSALS.unknown
}

/** Applies {@link refusal}, and the checks of every request: expiry and IP address. */
export function decide(
  principal: Principal,
  { permission, ...resource }: Wanted,
  { nowMs, from }: Circumstances,
): Decision {
  if (hasExpired(principal, nowMs)) return refuse('expired')
  if (from !== 'checked' && !isAllowedFrom(principal, from.address)) return refuseAddress(from.address)
  const refused = refusal(principal, permission, resource)
  return refused
    ? { allowed: false, code: refused.code, reason: refused.message }
    : { allowed: true, principal }
}

function refuseAddress(address: string | undefined): Refusal {
  const from = address ?? 'an unknown IP address'
  return {
    allowed: false,
    code: 'address_not_allowed',
    reason: `The organization auth token may not be used from ${from}: it is bound to addresses.`,
  }
}
