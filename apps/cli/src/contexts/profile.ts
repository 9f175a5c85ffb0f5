import { VARIABLES, type Environment } from '../environment.js'
import { FLAGS, type GlobalFlags } from '../flags.js'
import type { Sourced } from '../sourced.js'
import { UsageError } from '../usage-error.js'
import { ContextStore, isSameServer, type Context } from './context-store.js'
import { readDirectoryFile, type DirectoryFile } from './directory-file.js'

/** What applies where neither a flag nor the environment says something: `.bearing.toml`, then the context. */
export interface Profile {
  readonly context: NamedContext | undefined
  readonly url: Sourced | undefined
  readonly locationUrl: Sourced | undefined
  readonly org: Sourced | undefined
  readonly project: Sourced | undefined
}

export interface NamedContext extends Context {
  readonly name: string
}

/**
 * Reads the profile.
 *
 * A `.bearing.toml` can come with a repository of somebody else, so its server is used only if the user has a context for it: no
 * credential goes to a server that the user has not chosen.
 *
 * @param isLogin whether a context for the server is about to be created
 * @throws UsageError if the context does not exist, belongs to another server than the URL that was given, or the server of
 *   `.bearing.toml` has none
 */
export function readProfile(flags: GlobalFlags, environment: Environment, isLogin = false): Profile {
  const { settings, configFolder, folder } = environment
  const file = folder === undefined ? undefined : readDirectoryFile(folder)
  const name = flags.context ?? settings.context
  const url = flags.url ?? settings.url
  const context =
    name === undefined
      ? contextFor(url ?? file?.server, configFolder)
      : namedContext(name, configFolder, isLogin)
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
  return profileOf(context, file, url)
}

function profileOf(
  context: NamedContext | undefined,
  file: DirectoryFile | undefined,
  url: string | undefined,
): Profile {
  const server = url ?? context?.url ?? file?.server
  // Slugs of another server would be those of other organizations.
  const isOfServer = file && (!file.server || (server !== undefined && isSameServer(file.server, server)))
  const ofFile = (value: string | undefined) =>
    isOfServer && value !== undefined ? { value, from: file.path } : undefined
  const ofContext = (value: string | undefined) =>
    context && value !== undefined ? { value, from: `the context "${context.name}"` } : undefined
  return {
    context,
    url: ofContext(context?.url) ?? ofFile(file?.server),
    locationUrl: ofContext(context?.location_url),
    org: ofFile(file?.organization) ?? ofContext(context?.organization),
    // A project belongs to its organization.
    project: ofFile(file?.project) ?? (ofFile(file?.organization) ? undefined : ofContext(context?.project)),
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
