import { acceptsDeviceLogin } from '@bearing/access/device-logins'
import { parseToken } from '@bearing/access/token-format'
import { SESSION_METHODS, type SessionMethod } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { sessionEnd } from '../../ground/rules/session-end.js'
import { SessionSettings } from '../../people/sessions/session-settings.js'
import { CheckSecret } from '../../ground/check-secret.js'
import { RenewSecretHash } from './renew-secret-hash.js'
import { UserRows, grantsOf, type SessionOfUser } from '../../people/users/user-rows.js'
import type { Verdict } from './verdict.js'

/** Shortest time between two updates of a session's last use, in milliseconds. */
const STORED_EVERY_MS = 60_000

/** Authenticates sessions. */
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

  /** A session in use is checked at least every 30 s, since no cache keeps results for longer, so it never idles out. */
  async check(text: string): Promise<Verdict> {
    const token = parseToken(text)
    if (token?.kind !== 'session') return 'malformed'
    const row = await this.users.findBySession(token.id)
    const { idleMs } = this.settings
    const hasEnded = row !== undefined && sessionEnd(row, idleMs) <= this.clock.now()
    if (!this.secret.matches(token, row, hasEnded ? 'wrong' : 'unverifiable') || !row) return 'unknown'
    await this.hashes.renew(token, row)
    const methods = SESSION_METHODS.filter((method) => row.methods.includes(method))
    // Started with the password alone, before the user had a second factor.
    if (row.secondFactor && isPasswordAlone(methods)) return 'unknown'
    if (hasEnded) return 'expired'
    const device_login = row.host === null ? null : { same_network: row.sameNetwork ?? false }
    if (device_login && !acceptsDeviceLogin(this.settings.deviceLogins, device_login.same_network))
      return 'unknown'
    const lastSeenAt = await this.storeUse(token.id, row)
    return {
      kind: 'user',
      user_id: row.userId,
      email: row.email,
      credential_id: token.id,
      proof: 'session',
      second_factor: row.secondFactor,
      methods,
      device_login,
      expires_at: sessionEnd({ lastSeenAt, endsAt: row.endsAt }, idleMs).toISOString(),
      ...reachOf(row),
    }
  }

  private async storeUse(id: string, { lastSeenAt }: SessionOfUser): Promise<Date> {
    const now = this.clock.now()
    if (now.getTime() - lastSeenAt.getTime() < STORED_EVERY_MS) return lastSeenAt
    await this.database.session.updateMany({
      where: { id, lastSeenAt: { lt: now } },
      data: { lastSeenAt: now },
    })
    return now
  }
}

/** A session of single sign-on reaches only the organization of its connection. */
function reachOf({ sso, grants: all }: SessionOfUser) {
  if (!sso) return grantsOf(all)
  return { sso, ...grantsOf(all.filter((grant) => grant.organization_id === sso.organization_id)) }
}

function isPasswordAlone(methods: readonly SessionMethod[]): boolean {
  return methods.every((method) => method === 'pwd')
}
