import { isAbsolute, join } from 'node:path'
import { findWorkload, type WorkloadVariables } from '@bearing/client/workload-token'
import { withoutLineEnd } from '@bearing/contracts/text/without-line-end'

/** Environment variables of the flags. Flags take precedence. */
export const VARIABLES = {
  orgToken: 'BEARING_ORG_TOKEN',
  email: 'BEARING_EMAIL',
  password: 'BEARING_PASSWORD',
  projectKey: 'BEARING_PROJECT_KEY',
  org: 'BEARING_ORG',
  project: 'BEARING_PROJECT',
  context: 'BEARING_CONTEXT',
  url: 'BEARING_URL',
  locationUrl: 'BEARING_LOCATION_URL',
  natsUrl: 'BEARING_NATS_URL',
  natsNkeySeed: 'BEARING_NATS_NKEY_SEED',
  json: 'BEARING_JSON',
  verbose: 'BEARING_VERBOSE',
} as const

export type Setting = keyof typeof VARIABLES

/** The settings in the environment. A setting is undefined if its variable is missing or empty. */
export interface Environment {
  readonly settings: Readonly<Partial<Record<Setting, string>>>
  /** True if colors are disabled (no-color.org) or not supported. */
  readonly noColor: boolean
  /** Source of the platform's token of a workload, for `bearing trusts`. */
  readonly workload?: WorkloadVariables | undefined
  /** Folder of contexts and logins. Undefined: the user has no home directory. */
  readonly configFolder?: string | undefined
  /** The folder that the command runs in. */
  readonly folder?: string | undefined
}

/** @param folder that the command runs in */
export function readEnvironment(variables: NodeJS.ProcessEnv, folder?: string): Environment {
  const settings: Partial<Record<Setting, string>> = {}
  for (const [setting, variable] of Object.entries(VARIABLES)) {
    const value = withoutLineEnd(variables[variable] ?? '')
    // The keys of VARIABLES are the settings; Object.entries widens them to string.
    if (value) settings[setting as Setting] = value
  }
  return {
    settings,
    noColor: Boolean(variables['NO_COLOR']) || variables['TERM'] === 'dumb',
    workload: findWorkload(variables),
    configFolder: configFolderOf(variables),
    folder,
  }
}

/** Returns the folder that the XDG Base Directory Specification names, which ignores relative paths; on Windows that of the user. */
function configFolderOf(variables: NodeJS.ProcessEnv): string | undefined {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: appData = '', HOME: home = '' } = variables
  if (isAbsolute(xdg)) return join(xdg, 'bearing')
  if (process.platform === 'win32' && isAbsolute(appData)) return join(appData, 'bearing')
  return isAbsolute(home) ? join(home, '.config', 'bearing') : undefined
}

/** A value and the flag, variable or file it came from. */
export interface Sourced {
  readonly value: string
  readonly from: string
}
