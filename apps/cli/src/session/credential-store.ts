import { join } from 'node:path'
import { z } from 'zod'
import { PrivateFile } from './private-file.js'
import type { StoredIn } from './context-store.js'
import { keychainOf } from './keychain.js'
import type { NamedContext } from './profile.js'
import type { SelectedCredential } from './select-credential.js'

/** Tokens by the names of contexts. */
const Tokens = z.record(z.string(), z.string())

/** Stores the tokens of logins: in the keychain of the system, or in a file that only the user can read. */
export class CredentialStore {
  private readonly keychain = keychainOf(process.platform)
  private readonly file: PrivateFile<typeof Tokens>

  /** @param folder configuration folder; undefined if there is none */
  constructor(folder: string | undefined) {
    const path = folder === undefined ? undefined : join(folder, 'credentials.json')
    this.file = new PrivateFile(path, Tokens, {})
  }

  /** The path of the file, for messages. */
  get path(): string | undefined {
    return this.file.path
  }

  /**
   * Stores a token.
   *
   * @returns where it is: a keychain that does not give it back is not used
   */
  async store(context: string, token: string): Promise<StoredIn> {
    if ((await this.keychain?.store(context, token)) && (await this.keychain?.read(context)) === token) {
      this.removeFromFile(context)
      return 'keychain'
    }
    this.file.write({ ...this.file.read(), [context]: token })
    return 'file'
  }

  /** Returns a token; undefined if it is not there anymore. */
  async read(context: string, where: StoredIn): Promise<string | undefined> {
    if (where === 'keychain') return this.keychain?.read(context)
    const tokens = this.file.read()
    return Object.hasOwn(tokens, context) ? tokens[context] : undefined
  }

  async remove(context: string, where: StoredIn): Promise<void> {
    if (where === 'keychain') await this.keychain?.remove(context)
    else this.removeFromFile(context)
  }

  private removeFromFile(context: string): void {
    const tokens = this.file.read()
    if (Object.hasOwn(tokens, context))
      this.file.write(Object.fromEntries(Object.entries(tokens).filter(([name]) => name !== context)))
  }
}

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
