import { OperationError } from '@bearing/contracts/errors'
import type { cycleUserKey } from '@bearing/contracts/identity/people/user-key'
import { RECENT_SIGN_IN_MINUTES } from '@bearing/contracts/identity/people/session'
import type { Input } from '@bearing/contracts/operation'
import { provesSecondFactor, type Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../../ground/database.js'
import { ProveSecondFactor } from '../../people/second-factor/prove-second-factor.js'
import { codeMissing } from '../../people/second-factor/second-factor-errors.js'
import { callingSession } from '../../people/sessions/calling-session.js'
import { recentSession } from '../../people/sessions/recent-session.js'
import { callingUser } from '../../people/users/calling-user.js'

/**
 * Outcome of the second factor's proof for a new API key. `none`: the user has no second factor. `wrong`: the code was wrong and
 * was counted, so the transaction must be committed.
 */
export type KeyProof = 'none' | 'proven' | 'wrong'

/** Requires a proof before a session creates an API key, which outlives it, and of users with a second factor in any case. */
@Injectable()
export class ProveBeforeCycling {
  constructor(
    private readonly secondFactor: ProveSecondFactor,
    private readonly clock: Clock,
  ) {}

  /**
   * Accepts a recent session that was started with the factor, or a code beside the account password, which the caller has
   * verified.
   *
   * @throws OperationError `recent_sign_in_required`; `rate_limited` after too many wrong codes
   */
  async prove(transaction: Transaction, by: Principal, input: Input<typeof cycleUserKey>): Promise<KeyProof> {
    const { userId } = callingUser(by)
    const hasSecondFactor = await this.secondFactor.exists(transaction, userId)
    if (input.password === undefined) return this.bySession(transaction, by, hasSecondFactor)
    if (!hasSecondFactor) return 'none'
    const proof = await this.secondFactor.prove(transaction, userId, input)
    if (proof === 'missing') throw codeMissing()
    return proof === 'none' || proof === 'wrong' ? proof : 'proven'
  }

  private async bySession(
    transaction: Transaction,
    by: Principal,
    hasSecondFactor: boolean,
  ): Promise<'none' | 'proven'> {
    const session = await recentSession(transaction, by, this.clock.now())
    if (!hasSecondFactor) {
      if (session || callingSession(by) === undefined) return 'none'
      throw new OperationError(
        'recent_sign_in_required',
        `An API key outlives the session, so it needs your password of the last ${String(RECENT_SIGN_IN_MINUTES)} minutes. Send it (password), or confirm the session with it (POST /auth/session/confirm).`,
      )
    }
    if (session && provesSecondFactor(session.methods)) return 'proven'
    throw new OperationError(
      'recent_sign_in_required',
      `Your account has a second factor: an API key is created in a session that was started with it in the last ${String(RECENT_SIGN_IN_MINUTES)} minutes. Sign in again, or send password with totp_code, recovery_code or passkey.`,
    )
  }
}
