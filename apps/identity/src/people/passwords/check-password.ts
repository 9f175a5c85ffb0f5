import type { UserPrincipal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { PasswordBackOff } from './password-backoff.js'
import { Passwords } from './passwords.js'
import { RecordSignInNetwork } from './record-sign-in-network.js'
import { UserRows } from '../users/user-rows.js'

/** A user, and the hash that their password was right for. */
export interface ProvenPassword {
  readonly verdict: UserPrincipal
  readonly passwordHash: string | null
}

/** Tells which user came with an account password. */
@Injectable()
export class CheckPassword {
  constructor(
    private readonly database: Database,
    private readonly users: UserRows,
    private readonly passwords: Passwords,
    private readonly backOff: PasswordBackOff,
    private readonly networks: RecordSignInNetwork,
  ) {}

  /**
   * A user with a second factor is given too: whether the password is enough is for the caller to say. The address of the
   * client is that of the current call.
   *
   * @param email lower-cased
   * @throws OperationError `rate_limited` after too many wrong ones, whether or not there is such an account; and where
   *   it cannot be told: `overloaded`, `service_unavailable`
   */
  async check(email: string, password: string): Promise<UserPrincipal | 'unknown'> {
    const proven = await this.prove(email, password)
    return proven === 'unknown' ? proven : proven.verdict
  }

  /**
   * The same, with the hash that the password was right for: whoever goes on in a transaction can see whether it still is
   * the password.
   *
   * @throws as {@link check}
   */
  async prove(email: string, password: string): Promise<ProvenPassword | 'unknown'> {
    const attempt = await this.backOff.begin(email, currentCall()?.clientAddress ?? '')
    this.passwords.refuseWithoutPlace(attempt.callerClass)
    const row = await this.users.findByEmail(email)
    const { right, rehashed } = await this.passwords.check(password, row?.passwordHash, attempt)
    if (!row || !right) return 'unknown'
    // First, since after success the network is known, and a failure here would never be made up for.
    if (attempt.callerClass === 'unknown') await this.networks.record(row.userId)
    await attempt.succeeded()
    if (rehashed !== undefined) await this.replaceHash(row.userId, row.passwordHash, rehashed)
    const passwordHash = rehashed ?? row.passwordHash
    const verdict: UserPrincipal = {
      kind: 'user',
      user_id: row.userId,
      email: row.email,
      credential_id: row.userId,
      proof: 'password',
      second_factor: row.secondFactor,
      grants: row.grants,
    }
    return { verdict, passwordHash }
  }

  /** The same password under the cost that is configured now. A password that was changed meanwhile stays. */
  private async replaceHash(userId: string, before: string | null, passwordHash: string): Promise<void> {
    await this.database.user.updateMany({
      where: { id: userId, passwordHash: before },
      data: { passwordHash },
    })
  }
}
