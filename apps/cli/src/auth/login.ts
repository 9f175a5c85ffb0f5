import { hostname } from 'node:os'
import type { BearingClient } from '@bearing/client/client'
import { LoginHost } from '@bearing/contracts/identity/people/login'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { ContextStore, contextName, type Context } from '../contexts/context-store.js'
import { readProfile, type Profile } from '../contexts/profile.js'
import { moment } from '../output/format.js'
import { sanitize } from '../output/sanitize.js'
import { DEFAULT_URL } from '../session.js'
import { CredentialStore } from './credential-store.js'
import { endSession } from './end-login.js'
import { openBrowser } from './open-browser.js'
import { warningOfPreceding } from './preceding-credentials.js'
import { storedLogin } from './stored-login.js'
import { waitForLogin } from './wait-for-login.js'

const HELP = `
Works where an organization requires single sign-on. The token is stored in the keychain of the system, or in a file that
only you can read.`

interface Options {
  readonly browser: boolean
}

export function addLogin(program: Command, cli: Cli): void {
  program
    .command('login')
    .description('sign in with the browser')
    .option('--no-browser', 'print the URL, and do not open it')
    .addHelpText('after', HELP)
    .action(async ({ browser }: Options) => {
      const profile = readProfile(cli.flags, cli.terminal.environment, true)
      const setting = (name: 'url' | 'locationUrl' | 'org' | 'project') =>
        cli.flags[name] ?? profile.settings[name]
      const server = setting('url') ?? profile.url?.value ?? DEFAULT_URL.value
      const location = setting('locationUrl') ?? profile.locationUrl?.value
      const name = contextName(cli.setting('context') ?? profile.context?.name ?? nameOf(server))
      const { access_token, email, session } = await signIn(cli, cli.clientOf(server, location), browser)
      cli.secrets.add(access_token)
      const client = cli.clientOf(server, location, { kind: 'login', token: access_token })
      const organization = setting('org') ?? profile.context?.organization ?? (await onlyOrganization(client))
      await endFormer(cli, profile)
      const store = new CredentialStore(cli.terminal.environment.configFolder)
      const stored_in = await store.store(name, access_token)
      const context: Context = {
        url: server,
        location_url: location,
        organization,
        project: setting('project') ?? profile.context?.project,
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
          Project: context.project ?? 'none yet: give --project, or run "bearing projects list"',
          'Stored in': stored_in === 'keychain' ? 'the keychain of the system' : store.path,
          'Ends, unless used': moment(session.expires_at),
        },
        { name, ...context, expires_at: session.expires_at },
      )
      const preceding = warningOfPreceding(cli.terminal.environment.settings)
      if (preceding !== undefined) cli.output.notice(preceding)
    })
}

/** Asks for a login, shows the code, and waits until it was allowed. */
async function signIn(cli: Cli, client: BearingClient, browser: boolean) {
  const { output, secrets, terminal } = cli
  const requested = await client.call('requestLogin', { host: hostOf(hostname()) })
  secrets.add(requested.device_code)
  const { user_code, verification_uri = '', verification_uri_complete = '' } = requested
  // Also with --json: without them nobody can continue.
  output.report(`Open ${sanitize(verification_uri)} and enter the code ${sanitize(user_code)}`)
  if (browser && terminal.stderr.isTTY) openBrowser(verification_uri_complete)
  return waitForLogin(client, requested, terminal.signal)
}

/** Returns the organization of users who have one. */
async function onlyOrganization(client: BearingClient): Promise<string | undefined> {
  const { data } = await client.call('listOrganizations', { per_page: 2 })
  return data.length === 1 ? data[0]?.slug : undefined
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
