import { hostname } from 'node:os'
import { spawn } from 'node:child_process'
import type { BearingClient } from '@bearing/client/client'
import { LoginHost } from '@bearing/contracts/identity/people/login'
import type { CallOutput } from '@bearing/client/call-types'
import { ProblemError } from '@bearing/client/errors'
import { sleep } from '@bearing/client/signals'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { ContextStore, contextName, type Context } from '../session/context-store.js'
import { readProfile, type Profile } from '../session/profile.js'
import { moment, span } from '../ground/output/format.js'
import type { Output } from '../ground/output/output.js'
import { sanitize } from '../ground/output/sanitize.js'
import { DEFAULT_URL } from '../session/session.js'
import { CredentialStore, storedLogin } from '../session/credential-store.js'
import { chooseOrganization, chooseProject } from './choose-scope.js'
import { endSession } from './end-login.js'
import { warningOfPreceding } from '../session/select-credential.js'
import { isTransient } from '@bearing/client/retry-transient'
import { UsageError } from '../ground/usage-error.js'

const HELP = `
Works where an organization requires single sign-on. The token is stored in the keychain of the system, or in a file that
only you can read.`

verb('login', {
  about: 'sign in with the browser',
  takes: { '--no-browser': 'print the URL, and do not open it' },
  help: HELP,
  examples: ['--url https://bearing.example.com', '--context staging --org acme'],
  run: async (cli, { browser }) => {
    const profile = readProfile(cli.flags, cli.terminal.environment, true)
    const setting = (name: 'url' | 'locationUrl' | 'org' | 'project') =>
      cli.flags[name] ?? profile.settings[name]
    const server = setting('url') ?? profile.url?.value ?? DEFAULT_URL.value
    const location = setting('locationUrl') ?? profile.locationUrl?.value
    const name = contextName(cli.setting('context') ?? profile.context?.name ?? nameOf(server))
    const { access_token, email, session } = await signIn(cli, await cli.clientOf(server, location), browser)
    cli.secrets.add(access_token)
    const client = await cli.clientOf(server, location, { kind: 'login', token: access_token })
    const organization =
      setting('org') ?? profile.context?.organization ?? (await chooseOrganization(cli, client))
    const former = profile.context?.organization === organization ? profile.context?.project : undefined
    const project =
      setting('project') ??
      former ??
      (organization === undefined ? undefined : await chooseProject(cli, client, organization))
    await endFormer(cli, profile)
    const store = new CredentialStore(cli.terminal.environment.configFolder)
    const stored_in = await store.store(name, access_token)
    const context: Context = {
      url: server,
      location_url: location,
      organization,
      project,
      user: email,
      stored_in,
    }
    new ContextStore(cli.terminal.environment.configFolder).put(name, context, true)
    cli.output.done(`You are signed in as ${sanitize(email)}.`)
    cli.output.record(
      {
        Context: name,
        Server: server,
        Organization: organization ?? 'none yet: give --org, or run "bearing organizations list"',
        Project: project ?? 'none yet: give --project, or run "bearing projects list"',
        'Stored in': stored_in === 'keychain' ? 'the keychain of the system' : store.path,
        'Ends, unless used': moment(session.expires_at),
      },
      { name, ...context, expires_at: session.expires_at },
    )
    const preceding = warningOfPreceding(cli.terminal.environment.settings)
    if (preceding !== undefined) cli.output.notice(preceding)
  },
})

/** Asks for a login, shows the code, and waits until it was allowed. */
async function signIn(cli: Cli, client: BearingClient, browser: boolean) {
  const { output, secrets, terminal } = cli
  const requested = await client.call('requestLogin', { host: hostOf(hostname()) })
  secrets.add(requested.device_code)
  const { user_code, verification_uri = '', verification_uri_complete = '' } = requested
  // Also with --json: the user needs them to continue.
  output.report(`Open ${sanitize(verification_uri)} and enter the code ${sanitize(user_code)}`)
  if (browser && terminal.stderr.isTTY) openBrowser(verification_uri_complete)
  const stopCountdown = startCountdown(output, requested.expires_in)
  try {
    return await waitForLogin(client, requested, terminal.signal)
  } finally {
    stopCountdown()
  }
}

/** Shows on a terminal how long the code can be used. @returns what ends it */
function startCountdown(output: Output, seconds: number): () => void {
  if (!output.canRedraw) return () => undefined
  const endMs = performance.now() + seconds * 1_000
  const show = () => {
    output.redraw(`Waiting for the browser. The code ends in ${span((endMs - performance.now()) / 1_000)}. `)
  }
  show()
  const timer = setInterval(show, 1_000)
  return () => {
    clearInterval(timer)
    output.redraw('')
  }
}

/** Ends the session that the new one replaces. */
async function endFormer(cli: Cli, { context }: Profile): Promise<void> {
  const login = await storedLogin(context, cli.terminal.environment.configFolder)
  if (context && login) await endSession(cli, context, login.credential)
}

/** Returns the name of this machine, as far as a page may show it. */
function hostOf(name: string): string {
  const host = LoginHost.safeParse(name.slice(0, 64))
  return host.success ? host.data : 'a machine without a name'
}

/** Returns the name of the context for a server: its host, and the port if it is not the usual one. */
function nameOf(server: string): string {
  return URL.parse(server)?.host.replaceAll(/[[\]]/g, '') ?? ''
}

/** The longest wait between two polls, in seconds. */
const MAX_WAIT_S = 60

/**
 * Polls until the login was allowed, as RFC 8628 §3.5 says: longer waits if the server asks for them, or if it does not answer.
 *
 * @param signal ends the wait
 * @throws ProblemError if it was denied or has expired; UsageError if it expires while the server does not answer
 */
async function waitForLogin(
  client: BearingClient,
  { device_code, interval, expires_in }: CallOutput<'requestLogin'>,
  signal: AbortSignal,
): Promise<CallOutput<'exchangeLogin'>> {
  const endMs = performance.now() + expires_in * 1_000
  let waitS = interval
  while (performance.now() + waitS * 1_000 < endMs) {
    await sleep(waitS * 1_000, signal)
    try {
      return await client.call('exchangeLogin', { device_code })
    } catch (error) {
      if (error instanceof ProblemError && ['authorization_pending', 'slow_down'].includes(error.code))
        waitS = Math.max(waitS, error.retryAfter ?? interval)
      else if (isTransient(error)) waitS = Math.min(2 * waitS, MAX_WAIT_S)
      else throw error
    }
  }
  throw new UsageError('The login has expired: it was not allowed in time.', 'Run "bearing login" again.')
}

/** Opens a page in the user's browser, if there is one. The URL is printed as well, so a failure does not matter. */
function openBrowser(url: string): void {
  const { protocol } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return
  const [program = '', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.once('error', () => undefined)
  child.unref()
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  // `start` is a command of the shell, which would read "&" in the URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
