import type { Decision, Introspected } from '@bearing/contracts/identity/credential'
import type { Permission } from '@bearing/contracts/permission'
import type { Principal } from '@bearing/contracts/principal'
import { isAllowedFrom } from './allowed-from.js'
import { refusal, type Resource } from './authorize.js'
import { hasExpired } from './expiry.js'

type Refusal = Extract<Decision, { allowed: false }>
type Refused = Extract<Introspected, { active: false }>

/** Why a credential stands for nobody. */
export type WhyNot = Refused['reason'] | NonNullable<Refused['because']>

/** What is asked for, and on what. */
export interface Wanted extends Resource {
  readonly permission: Permission
}

/** What of a request a decision depends on besides who asks for what. */
export interface Circumstances {
  readonly nowMs: number
  /** Where the credential was presented from; `checked` where a gateway has looked at that. */
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
} as const satisfies Record<WhyNot, Refusal>

/** The decision about a credential that is none. */
export function refuse(reason: WhyNot): Refusal {
  return REFUSALS[reason]
}

/**
 * Whether a principal may do something now: {@link refusal}, and what has to be looked at on every request, however
 * recently the credential was found valid.
 */
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
  const from = address === undefined ? 'without telling where from' : `from ${address}`
  return {
    allowed: false,
    code: 'address_not_allowed',
    reason: `The organization auth token may not be used ${from}: it is bound to addresses.`,
  }
}
