import { BearingClient } from '@bearing/client/client'
import type { ClientOptions, Exchange } from '@bearing/client/client-options'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { VARIABLES, type Environment, type Sourced } from '../ground/environment.js'
import { FLAGS, type GlobalFlags } from '../ground/flags.js'
import type { Output } from '../ground/output/output.js'
import { sanitize } from '../ground/output/sanitize.js'
import type { Secrets } from '../ground/output/secrets.js'
import { UsageError } from '../ground/usage-error.js'
import { version } from '../ground/version.js'
import { isSameServer } from './context-store.js'
import { storedLogin } from './credential-store.js'
import type { Profile } from './profile.js'
import { readSecrets, type Stdin } from './read-secret.js'
import {
  isCredentialGiven,
  selectCredential,
  type GivenCredentials,
  type SelectedCredential,
} from './select-credential.js'
import { workloadCredential } from './workload-credential.js'

export const DEFAULT_URL: Sourced = { value: 'http://localhost:8080', from: 'the default' }

/** The connection of commands to the gateway. */
export class Session {
  constructor(
    readonly client: BearingClient,
    readonly selected: SelectedCredential,
    readonly url: Sourced,
    private readonly organizationSlug: Sourced | undefined,
    private readonly projectSlug: Sourced | undefined,
  ) {}

  get organization(): string {
    return needed(this.organizationSlug, 'org', 'organization')
  }

  get project(): string {
    return needed(this.projectSlug, 'project', 'project')
  }

  /** The sources of the slugs, for hints. */
  get sources(): { organization: Sourced | undefined; project: Sourced | undefined } {
    return { organization: this.organizationSlug, project: this.projectSlug }
  }
}

function needed(slug: Sourced | undefined, setting: 'org' | 'project', what: string): string {
  if (slug) return slug.value
  throw new UsageError(
    `Which ${what}? Give ${FLAGS[setting]} <slug> or set ${VARIABLES[setting]}.`,
    setting === 'project' ? '"bearing projects list" shows the slugs.' : undefined,
  )
}

/** Options of {@link openSession}. */
export interface SessionSources {
  readonly flags: GlobalFlags
  readonly environment: Environment
  readonly stdin: Stdin
  readonly output: Output
  readonly secrets: Secrets
  /** Fires when the user interrupts. */
  readonly signal: AbortSignal
  /** Values that apply without flags and environment variables. */
  readonly profile: Profile
  /** Asks the user to confirm the session of a login ({@link ClientOptions}). */
  readonly prove: (client: BearingClient) => Promise<boolean>
}

export type ClientSources = Pick<SessionSources, 'flags' | 'output' | 'signal' | 'profile'>

/**
 * Opens a session.
 *
 * @throws UsageError if flags and environment do not contain exactly one credential, or none and nobody is signed in
 */
export async function openSession(sources: SessionSources): Promise<Session> {
  const { environment, secrets, profile } = sources
  const given = await fromStdin(sources)
  const needsLogin = !isCredentialGiven(given) && !isCredentialGiven(profile.settings)
  const login = needsLogin ? await storedLogin(profile.context, environment.configFolder) : undefined
  if (login) refuseOtherLocation(sources)
  const selected =
    login ?? (needsLogin ? await workloadOf(sources) : undefined) ?? selectCredential(given, profile.settings)
  if (selected.credential.kind === 'user') secrets.add(selected.credential.secret, selected.credential.email)
  if (selected.credential.kind === ORGANIZATION_TOKEN || selected.credential.kind === 'login')
    secrets.add(selected.credential.token)
  const sourced = (setting: 'org' | 'project') => pick(setting, sources)
  const isLogin = selected.credential.kind === 'login'
  const client: BearingClient = openClient(
    sources,
    selected.credential,
    isLogin ? () => sources.prove(client) : undefined,
  )
  return new Session(client, selected, urlOf(sources), sourced('org'), sourced('project'))
}

/** Exchanges the token of the platform that runs this command, if it has one. The URL of the gateway has to be given. */
async function workloadOf(sources: SessionSources): Promise<SelectedCredential | undefined> {
  const { workload } = sources.environment
  const url = pick('url', sources)?.value
  if (!workload || url === undefined) return undefined
  const organization = needed(pick('org', sources), 'org', 'organization')
  return workloadCredential({ workload, url, organization, signal: sources.signal })
}

/** A login is sent to the servers of its context only. Another URL of the gateway has another context, or none. */
function refuseOtherLocation(sources: SessionSources): void {
  const { context, locationUrl } = sources.profile
  const given = pick('locationUrl', sources)
  if (
    !context ||
    !given ||
    given === locationUrl ||
    isSameServer(given.value, context.location_url ?? context.url)
  )
    return
  throw new UsageError(
    `The login is for ${context.location_url ?? context.url}, not for the location service from ${given.from}.`,
    `Leave it out, or run "bearing login" with it.`,
  )
}

/** Returns a client of the gateway; without a credential only for public operations. */
export function openClient(
  sources: ClientSources,
  credential?: ClientOptions['credential'],
  prove?: ClientOptions['prove'],
): BearingClient {
  const locationUrl = pick('locationUrl', sources)?.value
  return newClient(sources, { url: urlOf(sources).value, locationUrl, credential, prove })
}

/** Returns a client of a gateway that the caller names. */
export function newClient(
  { output, signal }: Pick<SessionSources, 'output' | 'signal'>,
  gateway: Pick<ClientOptions, 'url' | 'locationUrl' | 'credential' | 'prove'>,
): BearingClient {
  return new BearingClient({
    ...gateway,
    signal,
    userAgent: `bearing-cli/${version()}`,
    onWarning: (message) => {
      output.notice(message)
    },
    onExchange: output.verbose
      ? (exchange) => {
          output.report(output.paint(describe(exchange), 'dim'))
        }
      : undefined,
  })
}

function urlOf(sources: ClientSources): Sourced {
  return pick('url', sources) ?? DEFAULT_URL
}

/** The credentials given by flag; `-` stands for the first line of standard input. */
async function fromStdin({ flags, stdin, output }: SessionSources): Promise<GivenCredentials> {
  const given = {
    orgToken: flags.orgToken,
    email: flags.email,
    password: flags.password,
    projectKey: flags.projectKey,
  }
  for (const setting of ['orgToken', 'password'] as const)
    if (given[setting] === '-')
      [given[setting]] = await readSecrets({ stdin, prompt: (text) => output.prompt(text) }, [FLAGS[setting]])
  return given
}

function pick(
  setting: 'org' | 'project' | 'url' | 'locationUrl',
  { flags, profile }: Pick<SessionSources, 'flags' | 'profile'>,
): Sourced | undefined {
  const flag = flags[setting]
  if (flag === '') throw new UsageError(`${FLAGS[setting]} is empty.`)
  if (flag !== undefined) return { value: flag, from: FLAGS[setting] }
  const variable = profile.settings[setting]
  return variable === undefined ? profile[setting] : { value: variable, from: VARIABLES[setting] }
}

/** A line about one request: no header, no body. */
function describe({ method, url, status, requestId, durationMs }: Exchange): string {
  const outcome = status === undefined ? 'no answer' : String(status)
  const id = requestId === undefined ? '' : ` request ${sanitize(requestId)}`
  return `${method} ${url} ${outcome} ${durationMs.toFixed(0)} ms${id}`
}
