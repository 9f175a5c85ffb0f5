import { isProjectKey } from '@bearing/access/project-key-format'
import { parseToken, tokenKind } from '@bearing/access/token-format'
import type { PresentedCredential } from '@bearing/contracts/identity/credential'

/** Whether a text can be a credential at all: what is mistyped or made up is refused without asking anybody. */
export function isWellFormed(credential: PresentedCredential): boolean {
  switch (credential.kind) {
    case 'organization_token':
      return parseToken(credential.token)?.kind === 'organization_token'
    case 'legacy_token':
      // Anything at all may be one, but for what is or was meant to be one of ours.
      return tokenKind(credential.token) === undefined
    case 'project_key':
      return isProjectKey(credential.key)
    case 'session':
      return parseToken(credential.token)?.kind === 'session'
    case 'user':
      // What begins like an API key is checked as one, and never as a password.
      return tokenKind(credential.secret) === undefined || parseToken(credential.secret)?.kind === 'user_key'
  }
}
