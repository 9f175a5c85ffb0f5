import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../ground/usage-error.js'
import { PrivateFile } from './private-file.js'

/** Storage for the token of a login. */
export const StoredIn = z.enum(['keychain', 'file'])
export type StoredIn = z.infer<typeof StoredIn>

/** A gateway, the organization and project that commands act on, and the login that they use. Contains no secret. */
export const Context = z.object({
  url: z.string(),
  location_url: z.string().optional(),
  organization: z.string().optional(),
  project: z.string().optional(),
  /** Email address of the signed-in user. Missing: there is none. */
  user: z.string().optional(),
  /** Storage of the login's token. Missing: there is none. */
  stored_in: StoredIn.optional(),
})
export type Context = z.infer<typeof Context>

const Contexts = z.object({
  /** Name of the context that commands use. */
  current: z.string().optional(),
  contexts: z.record(z.string(), Context),
})
type Contexts = z.infer<typeof Contexts>

/** The contexts of the user, in `contexts.json` of the configuration folder. */
export class ContextStore {
  private readonly file: PrivateFile<typeof Contexts>

  /** @param folder configuration folder; undefined if there is none */
  constructor(folder: string | undefined) {
    this.file = new PrivateFile(folder === undefined ? undefined : join(folder, 'contexts.json'), Contexts, {
      contexts: {},
    })
  }

  /** @throws UsageError if the file cannot be used */
  read(): Contexts {
    return this.file.read()
  }

  /** Returns a context. @throws UsageError if there is no context of this name */
  get(name: string): Context {
    const { contexts } = this.read()
    const context = Object.hasOwn(contexts, name) ? contexts[name] : undefined
    if (!context)
      throw new UsageError(`There is no context "${name}".`, '"bearing context list" shows the names.')
    return context
  }

  /** Creates or replaces a context. @param isCurrent whether commands use it from now on */
  put(name: string, context: Context, isCurrent: boolean): void {
    const { current, contexts } = this.read()
    this.file.write({
      ...((isCurrent || current) && { current: isCurrent ? name : current }),
      contexts: { ...contexts, [name]: context },
    })
  }

  /** Makes commands use a context. @throws UsageError if there is no context of this name */
  use(name: string): void {
    this.get(name)
    this.file.write({ ...this.read(), current: name })
  }

  delete(name: string): void {
    const { current, contexts } = this.read()
    const others = Object.fromEntries(Object.entries(contexts).filter(([other]) => other !== name))
    this.file.write({ ...(current !== undefined && current !== name && { current }), contexts: others })
  }
}

/** @throws UsageError if the text cannot be the name of a context */
export function contextName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/.test(text)) return text
  throw new UsageError(
    'A context is named by 1 to 64 letters, digits, ".", "_", ":" and "-", and starts with a letter or digit.',
  )
}

/** Returns true if two URLs are the same gateway. */
export function isSameServer(one: string, other: string): boolean {
  const normal = (text: string) => URL.parse(text)?.href.replace(/\/+$/, '')
  return normal(one) !== undefined && normal(one) === normal(other)
}
