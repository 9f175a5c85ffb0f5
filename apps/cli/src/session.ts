import { BearingClient } from '@bearing/client/client'
import type { Exchange } from '@bearing/client/transport'
import type { ClientCredential } from '@bearing/client/credential-headers'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import {
  selectCredential,
  type GivenCredentials,
  type SelectedCredential,
} from './credential/select-credential.js'
import { readSecret, type Stdin } from './credential/read-secret.js'
import { VARIABLES, type Environment } from './environment.js'
import { FLAGS, type GlobalFlags } from './flags.js'
import type { Output } from './output/output.js'
import { sanitize } from './output/sanitize.js'
import type { Secrets } from './output/secrets.js'
import { UsageError } from './usage-error.js'
import { version } from './version.js'

const DEFAULT_URL: Sourced = { value: 'http://localhost:8080', from: 'the default' }

/** A value and the flag or variable it came from. */
export interface Sourced {
  readonly value: string
  readonly from: string
}

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
}

/**
 * Opens a session.
 *
 * @throws UsageError if flags and environment do not contain exactly one credential
 */
export async function openSession(sources: SessionSources): Promise<Session> {
  const { flags, environment, secrets } = sources
  const selected = selectCredential(await fromStdin(sources), environment.settings)
  if (selected.credential.kind === 'user') secrets.add(selected.credential.secret, selected.credential.email)
  if (selected.credential.kind === ORGANIZATION_TOKEN) secrets.add(selected.credential.token)
  const sourced = (setting: 'org' | 'project') => pick(setting, flags, environment)
  const client = openClient(sources, selected.credential)
  return new Session(client, selected, urlOf(sources), sourced('org'), sourced('project'))
}

/** Returns a client of the gateway; without a credential only for public operations. */
export function openClient(
  sources: Pick<SessionSources, 'flags' | 'environment' | 'output' | 'signal'>,
  credential?: ClientCredential,
): BearingClient {
  const { flags, environment, output } = sources
  return new BearingClient({
    url: urlOf(sources).value,
    locationUrl: pick('locationUrl', flags, environment)?.value,
    credential,
    signal: sources.signal,
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

function urlOf({ flags, environment }: Pick<SessionSources, 'flags' | 'environment'>): Sourced {
  return pick('url', flags, environment) ?? DEFAULT_URL
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
      given[setting] = await readSecret(
        stdin,
        (text) => {
          output.prompt(text)
        },
        FLAGS[setting],
      )
  return given
}

function pick(setting: keyof GlobalFlags, flags: GlobalFlags, environment: Environment): Sourced | undefined {
  const flag = flags[setting]
  if (flag === '') throw new UsageError(`${FLAGS[setting]} is empty.`)
  if (flag !== undefined) return { value: flag, from: FLAGS[setting] }
  const variable = environment.settings[setting]
  return variable === undefined ? undefined : { value: variable, from: VARIABLES[setting] }
}

/** A line about one request: no header, no body. */
function describe({ method, url, status, requestId, durationMs }: Exchange): string {
  const outcome = status === undefined ? 'no answer' : String(status)
  const id = requestId === undefined ? '' : ` request ${sanitize(requestId)}`
  return `${method} ${url} ${outcome} ${durationMs.toFixed(0)} ms${id}`
}
