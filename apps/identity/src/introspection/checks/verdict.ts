import type { introspectCredential } from '@bearing/contracts/identity/credential'
import type { Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'

/** Why a credential is refused. */
export type Refused =
  Extract<Output<typeof introspectCredential>, { active: false }>['reason'] | 'second_factor_required'

/** The principal that holds a credential, or why it is refused. */
export type Verdict = Principal | Refused
