import { parseToken } from '@bearing/access/token-format'
import { SESSION_METHODS, type SessionMethod } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { sessionEnd } from '../../ground/rules/session-end.js'
import { SessionSettings } from '../../people/sessions/session-settings.js'
import { CheckSecret } from '../../ground/check-secret.js'
import { RenewSecretHash } from './renew-secret-hash.js'
import { UserRows, type SessionOfUser } from '../../people/users/user-rows.js'
import type { Verdict } from './verdict.js'

/** How often the use of a session is written down, in milliseconds. */
const NOTED_EVERY_MS = 60_000

/** Tells whose a session is. */
@Injectable()
export class CheckSession {
  constructor(
    private readonly database: Database,
    private readonly users: UserRows,
    private readonly secret: CheckSecret,
    private readonly hashes: RenewSecretHash,
    private readonly settings: SessionSettings,
    private readonly clock: Clock,
  ) {}

  /**
   * Looked at and noted at least every half a minute of use, since nobody remembers an answer for longer: so a session that
   * is used does not idle out.
   */
  async check(text: string): Promise<Verdict> {
    const token = parseToken(text)
    if (token?.kind !== 'session') return 'malformed'
    const row = await this.users.findBySession(token.id)
    const { idleMs } = this.settings
    const hasEnded = row !== undefined && sessionEnd(row, idleMs) <= this.clock.now()
    if (!this.secret.matches(token, row, hasEnded ? 'wrong' : 'cannot_tell') || !row) return 'unknown'
    await this.hashes.renew(token, row)
    const methods = SESSION_METHODS.filter((method) => row.methods.includes(method))
    // One that was begun with the password alone, before there was a second factor, or at the same moment.
    if (row.secondFactor && isPasswordAlone(methods)) return 'unknown'
    if (hasEnded) return 'expired'
    const lastSeenAt = await this.noteUse(token.id, row)
    return {
      kind: 'user',
      user_id: row.userId,
      email: row.email,
      credential_id: token.id,
      proof: 'session',
      second_factor: row.secondFactor,
      methods,
      expires_at: sessionEnd({ lastSeenAt, endsAt: row.endsAt }, idleMs).toISOString(),
      ...reachOf(row),
    }
  }

  private async noteUse(id: string, { lastSeenAt }: SessionOfUser): Promise<Date> {
    const now = this.clock.now()
    if (now.getTime() - lastSeenAt.getTime() < NOTED_EVERY_MS) return lastSeenAt
    await this.database.session.updateMany({
      where: { id, lastSeenAt: { lt: now } },
      data: { lastSeenAt: now },
    })
    return now
  }
}

/** A session of single sign-on is one of the organization of its connection: it knows of no other. */
function reachOf({ sso, grants }: SessionOfUser) {
  if (!sso) return { grants }
  return { sso, grants: grants.filter((grant) => grant.organization_id === sso.organization_id) }
}

function isPasswordAlone(methods: readonly SessionMethod[]): boolean {
  return methods.every((method) => method === 'pwd')
}
