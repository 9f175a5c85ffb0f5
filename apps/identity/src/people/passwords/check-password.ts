import type { UserPrincipal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { UserRows, grantsOf } from '../users/user-rows.js'
import { PasswordBackoff } from './password-backoff.js'
import { Passwords } from './passwords.js'
import { RecordSignInNetwork } from './record-sign-in-network.js'

/** A user, and the stored hash that their password matched. */
export interface ProvenPassword {
  readonly principal: UserPrincipal
  readonly passwordHash: string | null
}

/** Authenticates users by account password. */
@Injectable()
export class CheckPassword {
  constructor(
    private readonly database: Database,
    private readonly users: UserRows,
    private readonly passwords: Passwords,
    private readonly backoff: PasswordBackoff,
    private readonly networks: RecordSignInNetwork,
  ) {}

  /**
   * Verifies a password. Users with a second factor are returned too: the caller decides whether a password is enough. The
   * client's IP address is that of the current call.
   *
   * @param email lower-case
   * @throws OperationError `rate_limited` after too many wrong passwords, whether or not the account exists; `overloaded`
   *   or `service_unavailable` if the password cannot be verified now
   */
  async check(email: string, password: string): Promise<UserPrincipal | 'unknown'> {
    const proven = await this.prove(email, password)
    return proven === 'unknown' ? proven : proven.principal
  }

  /**
   * Like {@link check}. The returned hash lets a transaction detect that the password was changed meanwhile.
   *
   * @throws as {@link check}
   */
  async prove(email: string, password: string): Promise<ProvenPassword | 'unknown'> {
    const attempt = await this.backoff.begin(email, currentCall()?.clientAddress ?? '')
    this.passwords.refuseIfFull(attempt.callerClass)
    const row = await this.users.findByEmail(email)
    const { right, rehashed } = await this.passwords.check(password, row?.passwordHash, attempt)
    if (!row || !right) return 'unknown'
    // Before `succeeded`, which makes the network known: if this fails, the next sign-in repeats it.
    if (attempt.callerClass !== 'known') await this.networks.record(row.userId)
    await attempt.succeeded()
    if (rehashed !== undefined) await this.replaceHash(row.userId, row.passwordHash, rehashed)
    return {
      principal: {
        kind: 'user',
        user_id: row.userId,
        email: row.email,
        credential_id: row.userId,
        proof: 'password',
        second_factor: row.secondFactor,
        ...grantsOf(row.grants),
      },
      passwordHash: rehashed ?? row.passwordHash,
    }
  }

  /** Stores the hash with the configured cost, unless the password was changed meanwhile. */
  private async replaceHash(userId: string, before: string | null, passwordHash: string): Promise<void> {
    await this.database.user.updateMany({
      where: { id: userId, passwordHash: before },
      data: { passwordHash },
    })
  }
}
