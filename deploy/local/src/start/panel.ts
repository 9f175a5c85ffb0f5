import { relative } from 'node:path'
import { LINK_MINUTES } from '../demo/sign-in-link.js'
import { DEMO_SCAN } from '../demo/town.js'
import type { StateDirectory } from './state-directory.js'

/** Servers that run elsewhere. */
interface OwnServers {
  /** `DATABASE_URL` */
  readonly database: boolean
  /** `NATS_URL` */
  readonly nats: boolean
}

/**
 * Returns the text that `pnpm start` prints when everything runs. Its commands contain no secret and can be pasted.
 *
 * @param isTerminal whether a person reads it: only then it contains the password of the demo. A log does not.
 */
export function describeDemo(
  demo: Demo & { readonly link: string },
  state: StateDirectory,
  own: OwnServers,
  isTerminal: boolean,
): string {
  const scan = JSON.stringify({ accessPoints: DEMO_SCAN })
  const inCheckout = (path: string) => relative(process.cwd(), path)
  return `
Bearing runs at ${demo.url} until Ctrl-C. ${placeOfData(`${inCheckout(state.path)}/`, own)}

  sign in          ${demo.link}
                   once, within ${LINK_MINUTES} minutes, in a browser of this machine
  dashboard        ${demo.url}
                   sign in as ${demo.email}
                   with the password ${isTerminal ? demo.password : 'DEMO_PASSWORD of the credentials'}
  documentation    ${demo.url}/docs
  API reference    ${demo.url}/docs/api
  demo project     ${demo.organization}/${demo.project}, with access points around Potsdamer Platz, Berlin
  credentials      ${inCheckout(state.demoEnv)}${demo.operator ? `; for "bearing admin": ${inCheckout(state.operatorEnv)}` : ''}
  logs             ${inCheckout(state.logs)}/

Try it in another terminal:

. ${quote(state.demoEnv)}

# list the projects
curl -H "@$DEMO_HEADERS" "$BEARING_URL/api/v0/organizations/$BEARING_ORG/projects"

# turn a Wi-Fi scan into a position
curl -H "@$DEMO_HEADERS" -H 'Content-Type: application/json' -d '${scan}' \\
  "$BEARING_LOCATION_URL/v1/organizations/$BEARING_ORG/projects/$BEARING_PROJECT/location/wifi"

# show the project's key
curl -H "@$DEMO_HEADERS" "$BEARING_URL/api/v0/organizations/$BEARING_ORG/projects/$BEARING_PROJECT/api_key"
`
}

/** Says where everything is after the end, and what has to be deleted to start over. */
function placeOfData(directory: string, { database, nats }: OwnServers): string {
  if (database && nats)
    return `Its data is in your Postgres and NATS (DATABASE_URL, NATS_URL), its credentials stay in ${directory}.`
  if (database) return `Its database is in your Postgres (DATABASE_URL), all else stays in ${directory}.`
  if (nats) return `Its files and queues are in your NATS (NATS_URL), all else stays in ${directory}.`
  return `Its data stays in ${directory}.`
}

/** Returns the file that a shell reads: variables of the command line are exported, the others are not. */
export function demoEnvironment(demo: Demo, headersPath: string): string {
  const exported = {
    BEARING_URL: demo.url,
    BEARING_LOCATION_URL: demo.url,
    BEARING_ORG: demo.organization,
    BEARING_PROJECT: demo.project,
    BEARING_ORG_TOKEN: demo.organizationToken,
  }
  const set = {
    DEMO_EMAIL: demo.email,
    DEMO_PASSWORD: demo.password,
    DEMO_USER_API_KEY: demo.userKey,
    DEMO_PROJECT_KEY: demo.projectKey,
    // A file for curl -H @…, because other users of the machine can read the arguments of a process.
    DEMO_HEADERS: headersPath,
  }
  const lines = [
    ...exportsOf(exported),
    ...Object.entries(set).map(([name, value]) => `${name}=${quote(value)}`),
  ]
  return `${lines.join('\n')}\n`
}

/** Returns the file with the credential of the operator. It is apart, so that a shell has it only if a person wants it there. */
export function operatorEnvironment({ natsUrl, nkeySeed }: NonNullable<Demo['operator']>): string {
  const exported = { BEARING_NATS_URL: natsUrl, BEARING_NATS_NKEY_SEED: nkeySeed }
  return `${exportsOf(exported).join('\n')}\n`
}

function exportsOf(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(([name, value]) => `export ${name}=${quote(value)}`)
}

function quote(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** The demo's address and credentials. */
export interface Demo {
  readonly url: string
  readonly organization: string
  readonly project: string
  readonly email: string
  readonly password: string
  readonly userKey: string
  readonly organizationToken: string
  readonly projectKey: string
  /** Access of `bearing admin` to NATS. Missing if NATS was not started by this program. */
  readonly operator: { readonly natsUrl: string; readonly nkeySeed: string } | undefined
}
