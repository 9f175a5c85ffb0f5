import { parseToken, tokenKind, type TokenParts } from '@bearing/access/token-format'
import { Email } from '@bearing/contracts/primitives'
import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import { CheckPassword } from '../../people/passwords/check-password.js'
import { CheckSecret } from '../../ground/check-secret.js'
import { RenewSecretHash } from './renew-secret-hash.js'
import { UserRows } from '../../people/users/user-rows.js'
import type { Verdict } from './verdict.js'

/** Tells which user came with an e-mail address and an API key or password. */
@Injectable()
export class CheckUser {
  constructor(
    private readonly users: UserRows,
    private readonly secret: CheckSecret,
    private readonly hashes: RenewSecretHash,
    private readonly password: CheckPassword,
    private readonly clock: Clock,
  ) {}

  /**
   * What has the prefix of a token is never taken for a password: it would be hashed at great cost, and somebody's
   * secret for another purpose would be tried as a password.
   */
  async check(presentedEmail: string, secret: string): Promise<Verdict> {
    // No account can have such an address; it might not even be a text that Postgres takes.
    const { success, data: email } = Email.safeParse(presentedEmail)
    if (!success) return 'malformed'
    if (tokenKind(secret) === undefined) return this.checkPassword(email, secret)
    const key = parseToken(secret)
    return key?.kind === 'user_key' ? this.checkKey(email, key) : 'malformed'
  }

  /** Where there is a second factor, the password is not enough: else nobody would have to steal anything but it. */
  private async checkPassword(email: string, password: string): Promise<Verdict> {
    const verdict = await this.password.check(email, password)
    const halfProven = typeof verdict !== 'string' && verdict.kind === 'user' && verdict.second_factor
    return halfProven ? 'second_factor_required' : verdict
  }

  private async checkKey(email: string, key: TokenParts): Promise<Verdict> {
    const row = await this.users.findByKey(key.id)
    const expired = row !== undefined && row.expiresAt !== null && row.expiresAt <= this.clock.now()
    if (!this.secret.matches(key, row, expired ? 'wrong' : 'cannot_tell') || row?.email !== email)
      return 'unknown'
    if (expired) return 'expired'
    await this.hashes.renew(key, row)
    return {
      kind: 'user',
      user_id: row.userId,
      email: row.email,
      credential_id: key.id,
      proof: 'api_key',
      second_factor: row.secondFactor,
      key_second_factor: row.keySecondFactor,
      ...(row.expiresAt && { expires_at: row.expiresAt.toISOString() }),
      grants: row.grants,
    }
  }
}
