import { Injectable } from '@nestjs/common'
import { Database } from '../database.js'
import { Passwords } from '../passwords/passwords.js'
import { UserRows } from './user-rows.js'
import type { Verdict } from './verdict.js'

/** Tells which user came with an account password. */
@Injectable()
export class CheckPassword {
  constructor(
    private readonly database: Database,
    private readonly users: UserRows,
    private readonly passwords: Passwords,
  ) {}

  /** @param email lower-cased */
  async check(email: string, password: string): Promise<Verdict> {
    const row = await this.users.findByEmail(email)
    const { right, rehashed } = await this.passwords.check(password, row?.passwordHash)
    if (!row || !right) return 'unknown'
    if (rehashed !== undefined) await this.replaceHash(row.userId, row.passwordHash, rehashed)
    return {
      kind: 'user',
      user_id: row.userId,
      email: row.email,
      credential_id: row.userId,
      proof: 'password',
      grants: row.grants,
    }
  }

  /** The same password under the cost that is configured now. A password that was changed meanwhile stays. */
  private async replaceHash(userId: string, before: string | null, passwordHash: string): Promise<void> {
    await this.database.user.updateMany({
      where: { id: userId, passwordHash: before },
      data: { passwordHash },
    })
  }
}
