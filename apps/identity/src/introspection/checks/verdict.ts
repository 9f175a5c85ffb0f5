import type { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import type { Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'

type Inactive = Extract<Output<typeof introspectCredential>, { active: false }>

/** The reason for refusing a credential. */
export type Refused = Inactive['reason'] | NonNullable<Inactive['because']>

/** The principal that holds a credential, or the reason for refusing it. */
export type Verdict = Principal | Refused
