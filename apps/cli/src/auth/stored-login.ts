import type { NamedContext } from '../contexts/profile.js'
import type { SelectedCredential } from '../credential/select-credential.js'
import { CredentialStore } from './credential-store.js'

/** Returns the login of a context as credential; undefined if there is none. */
export async function storedLogin(
  context: NamedContext | undefined,
  configFolder: string | undefined,
): Promise<SelectedCredential | undefined> {
  if (context?.stored_in === undefined) return undefined
  const token = await new CredentialStore(configFolder).read(context.name, context.stored_in)
  if (token === undefined) return undefined
  return { credential: { kind: 'login', token }, description: `the login of the context "${context.name}"` }
}
