import { parseToken, tokenKind, type TokenParts } from '@bearing/access/token-format'
import { Email } from '@bearing/contracts/primitives'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { CheckPassword } from '../../people/passwords/check-password.js'
import { CheckSecret } from '../../ground/check-secret.js'
import { RenewSecretHash } from './renew-secret-hash.js'
import { UserRows, grantsOf } from '../../people/users/user-rows.js'
import type { Verdict } from './verdict.js'

/** Authenticates users by email address and API key or password. */
@Injectable()
export class CheckUser {
  constructor(
    private readonly users: UserRows,
    private readonly secret: CheckSecret,
    private readonly hashes: RenewSecretHash,
    private readonly password: CheckPassword,
    private readonly clock: Clock,
  ) {}

  /** Text with the prefix of a token is never checked as a password: hashing is expensive, and it is another secret. */
  async check(presentedEmail: string, secret: string): Promise<Verdict> {
    // No account has such an email address, and Postgres may not accept the text.
    const { success, data: email } = Email.safeParse(presentedEmail)
    if (!success) return 'malformed'
    if (tokenKind(secret) === undefined) return this.checkPassword(email, secret)
    const key = parseToken(secret)
    return key?.kind === 'user_key' ? this.checkKey(email, key) : 'malformed'
  }

  /** If the user has a second factor, the password alone is not enough. */
  private async checkPassword(email: string, password: string): Promise<Verdict> {
    const user = await this.password.check(email, password)
    return user !== 'unknown' && user.second_factor ? 'second_factor_required' : user
  }

  private async checkKey(email: string, key: TokenParts): Promise<Verdict> {
    const row = await this.users.findByKey(key.id)
    const expired = row !== undefined && row.expiresAt !== null && row.expiresAt <= this.clock.now()
    if (!this.secret.matches(key, row, expired ? 'wrong' : 'unverifiable') || row?.email !== email)
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
      ...grantsOf(row.grants),
    }
  }
}
