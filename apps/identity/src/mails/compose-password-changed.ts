import type { Clock } from '@bearing/service/clock'
import type { Database } from '../database.js'
import { passwordChangedMail } from '../rules/mail-text.js'
import type { Compose } from './mail-relay.js'

/** After this time nobody needs to be told any more, in milliseconds. */
const LIFETIME_MS = 3 * 24 * 3_600_000

/** Makes the mail that tells a user that their password was changed. */
export function composePasswordChanged(database: Database, clock: Clock): Compose {
  return async ({ subject: id, createdAt }) => {
    if (createdAt.getTime() + LIFETIME_MS <= clock.nowMs()) return undefined
    const user = await database.user.findUnique({ where: { id }, select: { email: true } })
    return user ? { to: user.email, mail: passwordChangedMail() } : undefined
  }
}
