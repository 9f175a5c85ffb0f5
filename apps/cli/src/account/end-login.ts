import { ProblemError, UnexpectedReplyError, UnreachableError } from '@bearing/client/errors'
import type { Cli } from '../session/cli.js'
import { ContextStore } from '../session/context-store.js'
import type { NamedContext } from '../session/profile.js'
import { CredentialStore, storedLogin } from '../session/credential-store.js'

/**
 * Ends the session of a context at its gateway, and deletes its token here, whether or not the gateway answers.
 *
 * @returns whether there was a login
 */
export async function endLogin(cli: Cli, context: NamedContext): Promise<boolean> {
  const { configFolder } = cli.terminal.environment
  const { name, user: _user, stored_in, ...rest } = context
  if (stored_in === undefined) return false
  const login = await storedLogin(context, configFolder)
  if (login) await endSession(cli, context, login.credential)
  await new CredentialStore(configFolder).remove(name, stored_in)
  new ContextStore(configFolder).put(name, rest, false)
  return login !== undefined
}

/** Ends a session. If the gateway does not answer, it says when the session ends instead. */
export async function endSession(
  cli: Cli,
  context: Pick<NamedContext, 'url' | 'location_url'>,
  credential: NonNullable<Awaited<ReturnType<typeof storedLogin>>>['credential'],
): Promise<void> {
  if (credential.kind === 'login') cli.secrets.add(credential.token)
  try {
    const client = await cli.clientOf(context.url, context.location_url, credential)
    await client.call('signOut', {})
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return // It has ended already.
    if (
      !(error instanceof ProblemError) &&
      !(error instanceof UnreachableError) &&
      !(error instanceof UnexpectedReplyError)
    )
      throw error
    cli.output.notice(
      `${context.url} did not end the session, which ends when it is not used. The token is deleted here.`,
    )
  }
}
