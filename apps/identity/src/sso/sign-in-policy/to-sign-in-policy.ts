import { SignInPolicy } from '@bearing/contracts/identity/sso/sign-in-policy'

interface Row {
  readonly ssoRequired: boolean
  readonly secondFactorRequired: boolean
  readonly secondFactorKind: string
  readonly deviceLogins: string
}

/** Returns the rules of a row; without one, those of an organization that demands nothing. */
export function toSignInPolicy(row: Row | null): SignInPolicy {
  return SignInPolicy.parse({
    sso_required: row?.ssoRequired ?? false,
    second_factor_required: row?.secondFactorRequired ?? false,
    second_factor_kind: row?.secondFactorKind,
    device_logins: row?.deviceLogins,
  })
}
