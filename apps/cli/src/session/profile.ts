import { CREDENTIAL_FIELDS } from './select-credential.js'
import { VARIABLES, type Environment, type Setting, type Sourced } from '../ground/environment.js'
import { FLAGS, type GlobalFlags } from '../ground/flags.js'
import { UsageError } from '../ground/usage-error.js'
import { ContextStore, isSameServer, type Context } from './context-store.js'
import { readDirectoryFile, type DirectoryFile } from './directory-file.js'

/** Values that apply without a flag and an environment variable: from `.bearing.toml`, then from the context. */
export interface Profile {
  readonly context: NamedContext | undefined
  /** The settings of the environment that apply: without those that a context from `--context` has. */
  readonly settings: Environment['settings']
  readonly url: Sourced | undefined
  readonly locationUrl: Sourced | undefined
  readonly org: Sourced | undefined
  readonly project: Sourced | undefined
}

export interface NamedContext extends Context {
  readonly name: string
}

/**
 * Reads the profile. A context from `--context` is preferred to the environment and to `.bearing.toml`, like every flag.
 *
 * A `.bearing.toml` can come with a repository of somebody else, so its server is used only if the user has a context for it: no
 * credential goes to a server that the user has not chosen.
 *
 * @param isLogin whether a context for the server is about to be created
 * @throws UsageError if the context does not exist, belongs to another server than the URL that was given, or the server of
 *   `.bearing.toml` has none
 */
export function readProfile(flags: GlobalFlags, environment: Environment, isLogin = false): Profile {
  const { configFolder, folder } = environment
  const file = folder === undefined ? undefined : readDirectoryFile(folder)
  const name = flags.context ?? environment.settings.context
  const named = name === undefined ? undefined : namedContext(name, configFolder, isLogin)
  const isFlag = flags.context !== undefined
  const settings = isFlag && named ? settingsBelow(named, environment.settings) : environment.settings
  const url = flags.url ?? settings.url
  const context = name === undefined ? contextFor(url ?? file?.server, configFolder) : named
  if (context && name !== undefined && url !== undefined && !isSameServer(context.url, url))
    throw new UsageError(
      `The context "${name}" is for ${context.url}, not for the URL that was given.`,
      `Leave out ${FLAGS.url} and ${VARIABLES.url}, or choose another context.`,
    )
  if (!isLogin && !context && name === undefined && url === undefined && file?.server !== undefined)
    throw new UsageError(
      `${file.path} names the server ${file.server}, for which you have no context.`,
      `If you trust it, run "bearing login ${FLAGS.url} ${file.server}".`,
    )
  return { settings, ...profileOf(context, file, url, isFlag) }
}

/**
 * Returns the settings of the environment without those that a context has. Its servers belong to its login: without one, a
 * credential of the environment would go to another server than that of the environment.
 */
function settingsBelow(context: Context, settings: Environment['settings']): Environment['settings'] {
  const { organization, project, stored_in } = context
  const hidden: readonly Setting[] = [
    ...(stored_in === undefined ? [] : ([...CREDENTIAL_FIELDS, 'url', 'locationUrl'] as const)),
    ...(organization === undefined ? [] : (['org'] as const)),
    ...(project === undefined ? [] : (['project'] as const)),
  ]
  return { ...settings, ...Object.fromEntries(hidden.map((setting) => [setting, undefined])) }
}

/** @param isPreferred whether the context is preferred to the file */
function profileOf(
  context: NamedContext | undefined,
  file: DirectoryFile | undefined,
  url: string | undefined,
  isPreferred: boolean,
): Omit<Profile, 'settings'> {
  const server = url ?? context?.url ?? file?.server
  // Slugs of another server would be those of other organizations.
  const isOfServer = file && (!file.server || (server !== undefined && isSameServer(file.server, server)))
  const ofFile = (value: string | undefined) =>
    isOfServer && value !== undefined ? { value, from: file.path } : undefined
  const ofContext = (value: string | undefined) =>
    context && value !== undefined ? { value, from: `the context "${context.name}"` } : undefined
  const [orgOfContext, orgOfFile] = [ofContext(context?.organization), ofFile(file?.organization)]
  const [projectOfContext, projectOfFile] = [ofContext(context?.project), ofFile(file?.project)]
  return {
    context,
    url: ofContext(context?.url) ?? ofFile(file?.server),
    locationUrl: ofContext(context?.location_url),
    ...(isPreferred
      ? { org: orgOfContext ?? orgOfFile, project: projectOfContext ?? projectOfFile }
      : {
          org: orgOfFile ?? orgOfContext,
          // A project belongs to its organization.
          project: projectOfFile ?? (orgOfFile ? undefined : projectOfContext),
        }),
  }
}

function namedContext(name: string, folder: string | undefined, isLogin: boolean): NamedContext | undefined {
  const contexts = new ContextStore(folder)
  if (isLogin && !Object.hasOwn(contexts.read().contexts, name)) return undefined
  return { name, ...contexts.get(name) }
}

/** Returns the current context if it is for the server, or else another one that is; without a server the current one. */
function contextFor(server: string | undefined, folder: string | undefined): NamedContext | undefined {
  const { current, contexts } = new ContextStore(folder).read()
  const ordered = Object.entries(contexts).sort(
    ([one], [other]) => Number(other === current) - Number(one === current),
  )
  const found = ordered.find(([name, { url }]) =>
    server === undefined ? name === current : isSameServer(url, server),
  )
  return found && { name: found[0], ...found[1] }
}
