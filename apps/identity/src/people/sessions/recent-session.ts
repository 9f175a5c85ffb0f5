import { RECENT_SIGN_IN_MINUTES } from '@bearing/contracts/identity/people/session'
import { SESSION_METHODS, type Principal, type SessionMethod } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { callingSession } from './calling-session.js'

/**
 * Returns how the calling session was started, if its user was proven in the last {@link RECENT_SIGN_IN_MINUTES} minutes: by the sign-in of
 * a browser, or by a confirmation. Undefined for other sessions and other credentials. The sign-in of a command line is no proof, because
 * an older browser session may have allowed it.
 */
export async function recentSession(
  database: Pick<Transaction, 'session'>,
  by: Principal,
  now: Date,
): Promise<{ readonly methods: readonly SessionMethod[] } | undefined> {
  const id = callingSession(by)
  if (id === undefined) return undefined
  const since = new Date(now.getTime() - RECENT_SIGN_IN_MINUTES * 60_000)
  const row = await database.session.findFirst({
    where: { id, OR: [{ host: null, createdAt: { gt: since } }, { confirmedAt: { gt: since } }] },
    select: { methods: true },
  })
  return row ? { methods: SESSION_METHODS.filter((method) => row.methods.includes(method)) } : undefined
}
