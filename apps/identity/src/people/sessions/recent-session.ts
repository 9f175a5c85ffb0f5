import type { Principal, SessionMethod } from '@bearing/contracts/principal'
import { RECENT_SIGN_IN_MINUTES } from '@bearing/contracts/identity/user'
import type { Transaction } from '../../ground/database.js'
import { callingSession } from './calling-session.js'

/**
 * Returns how the calling session was started, if it was started in the last {@link RECENT_SIGN_IN_MINUTES} minutes;
 * undefined for older sessions, for those of command lines, which older browser sessions may have allowed, and for other credentials.
 */
export async function recentSession(
  database: Pick<Transaction, 'session'>,
  by: Principal,
  now: Date,
): Promise<{ readonly methods: readonly SessionMethod[] } | undefined> {
  const id = callingSession(by)
  if (id === undefined || by.kind !== 'user') return undefined
  const since = new Date(now.getTime() - RECENT_SIGN_IN_MINUTES * 60_000)
  const isRecent = (await database.session.count({ where: { id, host: null, createdAt: { gt: since } } })) > 0
  return isRecent ? { methods: by.methods ?? [] } : undefined
}
