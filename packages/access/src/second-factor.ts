import {
  provesSecondFactor,
  type OrganizationGrant,
  type SecondFactorKind,
  type UserPrincipal,
} from '@bearing/contracts/principal'

const secondFactorRequired = {
  code: 'second_factor_required',
  message:
    'The organization requires a second factor: set one up for your account (POST /auth/totp). In a browser, sign in with it.',
} as const

const keyWithoutSecondFactor = {
  code: 'second_factor_required',
  message:
    'The organization requires a second factor, and this API key was created without it. Sign in with your second factor and create the API key again (POST /auth/api_key).',
} as const

const passkeyRequired = {
  code: 'second_factor_required',
  message:
    'The organization requires a phishing-resistant second factor: add a passkey to your account on the dashboard, and sign in with it. For programs use an organization auth token.',
} as const

/** Applies the rule of the organization about second factors. */
export function secondFactorRefusal(
  user: UserPrincipal,
  { second_factor_required, second_factor_kind: kind = 'any' }: OrganizationGrant,
) {
  if (!second_factor_required || hasSecondFactor(user, kind)) return undefined
  if (kind === 'phishing-resistant') return passkeyRequired
  return user.second_factor && user.proof === 'api_key' ? keyWithoutSecondFactor : secondFactorRequired
}

/** Returns whether the session was started, or the API key created, with a second factor of a kind. */
export function hasSecondFactor(user: UserPrincipal, kind: SecondFactorKind = 'any'): boolean {
  const { second_factor, proof, methods = [], key_second_factor } = user
  if (!second_factor) return false
  // An API key can be phished, however it was created.
  if (kind === 'phishing-resistant') return proof === 'session' && methods.includes('passkey')
  // Earlier versions of identity do not send the field; their API keys count as created with it.
  if (proof === 'api_key') return key_second_factor ?? true
  return proof === 'session' && provesSecondFactor(methods)
}
