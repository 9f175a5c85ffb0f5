import { readFile } from 'node:fs/promises'
import { BearingClient } from '@bearing/client/client'
import type { ClientCredential } from '@bearing/client/client-options'
import { exchangeWorkloadToken, findWorkload } from '@bearing/client/workload-token'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { VERSION } from '@bearing/contracts/version'
import { withoutLineEnd } from '@bearing/contracts/text/without-line-end'
import type { Attribute, Attributes } from '../schema/attributes.js'
import type { Values } from '../wire/value.js'
import { Api, type Projects } from './api.js'

const DEFAULT_TIMEOUT_SECONDS = 300
/** A token of a workload is exchanged again so long before it expires, in seconds. */
const MARGIN_SECONDS = 60

const text = (name: string, variable: string, description: string): Attribute => ({
  ...{ name, type: 'string', mode: 'optional', isSensitive: name === 'token' || name === 'password' },
  description: `${description} (default: \`${variable}\`)`,
})

/** Variables of the environment, which have the names that the command line uses. */
const VARIABLES = {
  url: 'BEARING_URL',
  location_url: 'BEARING_LOCATION_URL',
  organization: 'BEARING_ORG',
  token: 'BEARING_ORG_TOKEN',
  email: 'BEARING_EMAIL',
  password: 'BEARING_PASSWORD',
} as const

type Setting = keyof typeof VARIABLES

const DESCRIPTIONS: Readonly<Record<Setting, string>> = {
  url: 'URL of the gateway',
  location_url: 'URL of the location service, if it is another one',
  organization: 'Slug of the organization',
  token: 'Organization auth token',
  email: 'Email address of a user, with `password`',
  password: 'API key of the user',
}

/** The attributes of the provider. */
export const PROVIDER_ATTRIBUTES: Attributes = new Map<string, Attribute>([
  ...Object.entries(DESCRIPTIONS).map(([name, of]): [string, Attribute] => [
    name,
    text(name, VARIABLES[name as Setting], of), // its own keys
  ]),
  [
    'timeout_seconds',
    {
      ...{ name: 'timeout_seconds', type: 'number', mode: 'optional' },
      description: `How long one operation may take, with its retries (default: ${String(DEFAULT_TIMEOUT_SECONDS)} s)`,
    },
  ],
])

/** The configured provider. */
export class Connection {
  private readonly projects: Projects = {}
  private readonly timeoutMs: number
  private opened: { readonly client: Promise<BearingClient>; until: number } | undefined

  /** @param stop aborts every call */
  constructor(
    private readonly config: Values,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly stop: AbortSignal,
  ) {
    const { timeout_seconds: seconds } = config
    this.timeoutMs = (typeof seconds === 'number' ? seconds : DEFAULT_TIMEOUT_SECONDS) * 1_000
  }

  /** Returns the API for one operation, whose time begins now. */
  async api(timeoutMs = this.timeoutMs): Promise<Api> {
    const signal = AbortSignal.any([this.stop, AbortSignal.timeout(timeoutMs)])
    if (!this.opened || this.opened.until < Date.now())
      this.opened = { client: this.connect(signal), until: Infinity }
    try {
      return new Api(await this.opened.client, this.needed('organization'), this.projects, signal)
    } catch (error) {
      this.opened = undefined
      throw error
    }
  }

  private async connect(signal: AbortSignal): Promise<BearingClient> {
    const given = this.givenCredential()
    if (given) return this.open(given)
    const { token, expiresInSeconds } = await this.exchange(signal)
    if (this.opened) this.opened.until = Date.now() + (expiresInSeconds - MARGIN_SECONDS) * 1_000
    return this.open({ kind: ORGANIZATION_TOKEN, token })
  }

  private givenCredential(): ClientCredential | undefined {
    const [token, email, secret] = (['token', 'email', 'password'] as const).map((name) => this.read(name))
    if (token !== undefined) return { kind: ORGANIZATION_TOKEN, token }
    return email !== undefined && secret !== undefined ? { kind: 'user', email, secret } : undefined
  }

  private exchange(signal: AbortSignal) {
    const workload = findWorkload(this.environment)
    if (!workload)
      throw new Error(
        `No credential was given. Set \`token\` or ${VARIABLES.token}, ${VARIABLES.email} and ${VARIABLES.password}, or run where a workload token is (docs/automation).`,
      )
    const [url, organization] = [this.needed('url'), this.needed('organization')]
    return exchangeWorkloadToken({
      workload,
      url,
      organization,
      signal,
      readFile: (path) => readFile(path, 'utf8'),
    })
  }

  private open(credential: ClientCredential): BearingClient {
    const userAgent = `terraform-provider-bearing/${VERSION}`
    return new BearingClient({
      url: this.needed('url'),
      locationUrl: this.read('location_url'),
      credential,
      userAgent,
    })
  }

  private needed(name: Setting): string {
    const value = this.read(name)
    if (value === undefined)
      throw new Error(`\`${name}\` is not set, or not known yet. Set it, or ${VARIABLES[name]}.`)
    return value
  }

  private read(name: Setting): string | undefined {
    const value = this.config[name]
    if (typeof value === 'string' && value !== '') return value
    return withoutLineEnd(this.environment[VARIABLES[name]] ?? '') || undefined
  }
}
