import { TOKEN_PREFIX } from '@bearing/access/token-format'
import { ProblemError, UnexpectedReplyError, UnreachableError } from '@bearing/client/errors'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { CommanderError } from 'commander'
import type { Session } from './session.js'
import type { Sourced } from '../ground/environment.js'
import { UsageError } from '../ground/usage-error.js'
import type { Output } from '../ground/output/output.js'

/** Returns what to do next, if known. Names the source of a value, never the value of a credential. */
export function hintFor(error: unknown, session: Session | undefined): string | undefined {
  if (error instanceof UsageError) return error.hint
  if (error instanceof CommanderError && error.code === 'commander.excessArguments')
    return 'To give an option several values, repeat it: --permission <a> --permission <b>. --help after the command lists its arguments.'
  if (error instanceof CommanderError) return 'See "bearing help", or --help after any command.'
  if (error instanceof UnreachableError || error instanceof UnexpectedReplyError)
    return session && `The URL comes from ${session.url.from}; set it with --url or BEARING_URL.`
  if (error instanceof ProblemError && session) return hintForProblem(error, session)
  return undefined
}

function hintForProblem(error: ProblemError, session: Session): string | undefined {
  const used = `The credential was ${session.selected.description}.`
  const again = error.retryAfter === undefined ? 'shortly' : `in ${String(Math.ceil(error.retryAfter))} s`
  if (error.status === 401) return [used, signInAgain(session), misplaced(session)].filter(Boolean).join(' ')
  switch (error.code) {
    case 'organization_not_found':
      return `${slugFrom('organization', session.sources.organization)} ${used}`
    case 'project_not_found':
      return `${slugFrom('project', session.sources.project)} "bearing projects list" shows the slugs.`
    case 'user_required':
      return `${used} Sign in with "bearing login", and give no other credential.`
    case 'permission_denied':
    case 'project_key_invalid':
      return used
    case 'sso_required':
      return `${used} "bearing login" works there, if you sign in with single sign-on in the browser; so does an organization token (--org-token).`
    case 'device_login_refused':
      return 'Create an API key in the dashboard (BEARING_EMAIL, BEARING_PASSWORD), or use an organization token (--org-token).'
    case 'recent_sign_in_required':
      return 'On a terminal the command asks for the account password; for an API key, "bearing user-key create --second-factor" reads it and a code from standard input. Scripts use an organization token. With single sign-on, use the dashboard.'
    case 'user_key_not_found':
      return 'Create one with "bearing user-key create".'
    case 'organization_token_not_found':
      return '"bearing org-tokens list" shows the ids.'
    case 'member_not_found':
      return '"bearing members list" shows the members of the organization, "bearing project-members list" those of the project.'
    case 'last_admin':
      return 'Make another user an admin first: "bearing members set <user> admin".'
    case 'too_many_organizations':
      return '"bearing organizations list" shows them, "bearing members remove <your email address>" leaves one.'
    case 'invalid_input':
      return error.mistakes.some(({ pointer }) => pointer === '/url') ? LISTEN_HINT : undefined
    case 'slug_taken':
    case 'slug_reserved':
      return 'Choose another slug with --slug.'
    case 'project_key_required':
      return `${used} Give --project-key or BEARING_PROJECT_KEY; "bearing project-key show" shows the key.`
    case 'too_few_access_points':
      return 'Give access points of different devices with --ap. A single one is enough where "bearing access-points import" has said where it is.'
    case 'location_not_found':
      return 'No or too few access points of the scan are known. "bearing access-points stats" shows how many your organization has, "bearing access-points import" adds more.'
    case 'route_not_found':
      return `Is ${session.url.value} (from ${session.url.from}) the URL of the gateway?`
    case 'overloaded':
    case 'service_unavailable':
    case 'deadline_exceeded':
      return `The command is correct. Try again ${again}.`
    case 'internal':
      return 'Send the request id to the operator of the gateway, who finds the cause in the logs.'
    default:
      return undefined
  }
}

function slugFrom(what: string, slug: Sourced | undefined): string {
  return slug ? `The ${what} "${slug.value}" is from ${slug.from}.` : ''
}

function signInAgain({ selected: { credential } }: Session): string | undefined {
  return credential.kind === 'login' ? 'Run "bearing login" to sign in again.' : undefined
}

/** Detects a user API key and an organization token in the wrong flag. */
function misplaced({ selected: { credential } }: Session): string | undefined {
  if (credential.kind === ORGANIZATION_TOKEN && credential.token.startsWith(TOKEN_PREFIX.user_key))
    return 'This is a user API key: use --email and --password.'
  if (credential.kind === 'user' && credential.secret.startsWith(TOKEN_PREFIX[ORGANIZATION_TOKEN]))
    return 'This is an organization token: use --org-token.'
  return undefined
}

/** Advice about a receiver that Bearing does not send to. */
export const LISTEN_HINT =
  'Bearing sends to public addresses, and to private ones that its operator allows. A receiver on this machine needs no webhook: "bearing webhooks listen <port>" sends it the events.'

/**
 * Warns of a name that stands for the machine of the program that resolves it (RFC 6761 §6.3). The server accepts it, because
 * it resolves names only when it sends.
 */
export function warnOfLocalName(output: Output, url: string): void {
  if (/(?:^|\.)localhost\.?$/.test(URL.parse(url)?.hostname ?? ''))
    output.notice(`In this URL "localhost" is the machine that Bearing runs on. ${LISTEN_HINT}`)
}
