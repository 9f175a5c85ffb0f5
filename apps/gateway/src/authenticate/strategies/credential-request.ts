import type { CredentialKind } from '@bearing/access/credential-kinds'
import type { AskedFor } from '@bearing/client-nats/credential-cache'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'

/**
 * The object that a Passport strategy gets instead of the HTTP request: one header with the one credential of the
 * request. So no package can find another credential in the query, the body, or a second header.
 */
export interface CredentialRequest {
  readonly kind: CredentialKind
  readonly headers: Readonly<Record<string, string>>
  /** The data presented beside the token of a device. `validate` adds it to the token. */
  readonly deviceToken?: Omit<Extract<PresentedCredential, { kind: 'device_token' }>, 'token'>
  /** The HTTP request that presents the credential. No package reads this; `validate` sends it to identity. */
  readonly askedFor: AskedFor
}
