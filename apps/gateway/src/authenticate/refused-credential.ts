import { OperationError } from '@bearing/contracts/errors'
import type { PresentedCredential } from '@bearing/contracts/identity/credential'

type Kind = PresentedCredential['kind']

/** Why a credential is refused. */
export type RefusalReason = 'malformed' | 'unknown' | 'expired' | 'second_factor_required'

const NOUN = {
  organization_token: 'organization auth token',
  legacy_token: 'organization auth token or legacy location token',
  user: 'e-mail address with this API key or password',
  project_key: 'project key',
  session: 'session',
} as const satisfies Record<Kind, string>

/** What to do where one has expired. */
const INSTEAD = {
  organization_token: 'Create a new one.',
  legacy_token: '',
  user: 'Create a new one.',
  project_key: 'It was replaced, and its grace is over: use the current one.',
  session: 'Sign in again.',
} as const satisfies Record<Kind, string>

/** Returns the error for a credential that identity refuses. */
export function refusedCredential(kind: Kind, reason: RefusalReason): OperationError {
  switch (reason) {
    case 'malformed':
      return new OperationError(
        'credential_malformed',
        `The ${NOUN[kind]} does not have the right form: it is mistyped or cut off.`,
      )
    case 'expired':
      if (kind === 'legacy_token') return retired()
      return new OperationError('credential_expired', `The ${NOUN[kind]} has expired. ${INSTEAD[kind]}`)
    case 'second_factor_required':
      return new OperationError(
        'second_factor_required',
        'The account has a second factor, so its password alone is not accepted. Use a user API key, or sign in with a browser.',
      )
    case 'unknown':
      return new OperationError(
        'credential_invalid',
        `There is no such ${NOUN[kind]}. It may have been deleted, replaced or ended.`,
      )
  }
}

/** Returns the error for a project key that is refused on a device route: 403, because devices erase their key on 401. */
export function refusedDevice(): OperationError {
  return new OperationError('project_key_invalid', 'The project key is not valid. It may have been cycled.')
}

function retired(): OperationError {
  return new OperationError(
    'legacy_token_retired',
    'Legacy location tokens of this organization have stopped working. Send an organization auth token, or let the project key of the device ask for locations: /docs/legacy-tokens says how.',
  )
}
