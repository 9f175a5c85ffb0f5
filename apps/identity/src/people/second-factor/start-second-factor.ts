import type { Principal, SessionMethod } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { callingSession } from '../sessions/calling-session.js'
import { endSessionsOfUser } from '../sessions/end-sessions.js'
import { callingUser } from '../users/calling-user.js'

/** Ends all other sessions: they were started with the password alone. The calling session has just proven the factor. */
export async function startSecondFactor(
  transaction: Transaction,
  by: Principal,
  method: SessionMethod,
): Promise<void> {
  const id = callingSession(by)
  if (id !== undefined)
    await transaction.session.updateMany({ where: { id }, data: { methods: { push: method } } })
  await endSessionsOfUser(transaction, by, callingUser(by).userId, { except: id })
}
