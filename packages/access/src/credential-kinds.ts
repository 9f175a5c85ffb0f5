import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { isDeviceToken } from './device-tokens.js'
import { isProjectKey } from './project-key-format.js'
import { parseToken, tokenKind } from './token-format.js'

export type CredentialKind = PresentedCredential['kind']

/** The properties of a kind of credential. */
interface Descriptor<Credential extends PresentedCredential> {
  /** The name in error messages. */
  readonly noun: string
  /** Advice to the caller for a credential that has expired. */
  readonly advice: string
  /** The Passport strategy that authenticates it. */
  readonly strategy: 'bearer' | 'basic' | 'project_key' | 'session' | 'device_certificate'
  /** Returns false for text that cannot be such a credential, so it is refused without asking identity. */
  isWellFormed(credential: Credential): boolean
}

/** The kinds of credentials that a request can present. */
export const CREDENTIAL_KINDS: {
  readonly [Kind in CredentialKind]: Descriptor<Extract<PresentedCredential, { kind: Kind }>>
} = {
  [ORGANIZATION_TOKEN]: {
    noun: 'organization auth token',
    advice: 'Create a new one.',
    strategy: 'bearer',
    isWellFormed: ({ token }) => parseToken(token)?.kind === ORGANIZATION_TOKEN,
  },
  legacy_token: {
    noun: 'organization auth token or legacy location token',
    advice: 'Send an organization auth token.',
    strategy: 'bearer',
    // Any text may be a legacy token, except one with a prefix of Bearing.
    isWellFormed: ({ token }) => tokenKind(token) === undefined,
  },
  user: {
    noun: 'email address with this API key or password',
    advice: 'Create a new one.',
    strategy: 'basic',
    // Text with the prefix of an API key is checked as an API key, never as a password.
    isWellFormed: ({ secret }) => tokenKind(secret) === undefined || parseToken(secret)?.kind === 'user_key',
  },
  project_key: {
    noun: 'project key',
    advice: 'It was replaced, and its grace period is over: use the current one.',
    strategy: 'project_key',
    isWellFormed: ({ key }) => isProjectKey(key),
  },
  device_token: {
    noun: 'key for this device token',
    advice: 'Sign a new one. The header Date of the reply is the time of the server.',
    strategy: 'bearer',
    isWellFormed: ({ token, or_legacy }) => or_legacy === true || isDeviceToken(token),
  },
  device_certificate: {
    noun: 'device with this client certificate',
    advice: 'Renew it.',
    strategy: 'device_certificate',
    isWellFormed: () => true,
  },
  session: {
    noun: 'session',
    advice: 'Sign in again.',
    strategy: 'session',
    isWellFormed: ({ token }) => parseToken(token)?.kind === 'session',
  },
}

/** Returns false for a credential that cannot exist: it is mistyped, cut off or invented. */
export function isWellFormed(credential: PresentedCredential): boolean {
  const kind: Descriptor<PresentedCredential> = CREDENTIAL_KINDS[credential.kind]
  return kind.isWellFormed(credential)
}
