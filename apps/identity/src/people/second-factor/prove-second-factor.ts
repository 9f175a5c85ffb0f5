import type { PasskeyAssertion } from '@bearing/contracts/identity/people/passkey'
import type { SessionMethod } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../../ground/database.js'
import { lockTotp, type LockedTotp } from '../../ground/locks.js'
import { codeWaitMs } from '../../ground/rules/code-backoff.js'
import { totpStep } from '../../ground/rules/totp.js'
import type { Prisma } from '../../generated/prisma/client.js'
import { Passkeys } from './passkeys.js'
import { RecoveryCodes } from './recovery-codes.js'
import { codeMissing, noSecondFactor, tooManyCodes } from './second-factor-errors.js'
import { TotpSecrets } from './totp-secrets.js'

/** The second factor that a user sends. */
export interface GivenCode {
  readonly passkey?: PasskeyAssertion | undefined
  /** Six digits. */
  readonly totp_code?: string | undefined
  readonly recovery_code?: string | undefined
}

/**
 * Outcome of a second factor's proof. `none`: the user has no second factor. `missing`: none was sent. `wrong`: it was not valid and was
 * recorded, so the transaction must be committed.
 */
export type Proof = Extract<SessionMethod, 'otp' | 'recovery' | 'passkey'> | 'none' | 'missing' | 'wrong'

/** Verifies passkeys, codes of authenticators and recovery codes. */
@Injectable()
export class ProveSecondFactor {
  constructor(
    private readonly secrets: TotpSecrets,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly passkeys: Passkeys,
    private readonly clock: Clock,
  ) {}

  /** @throws OperationError `rate_limited` after too many wrong codes */
  async prove(transaction: Transaction, userId: string, given: GivenCode): Promise<Proof> {
    const locked = await lockTotp(transaction, userId)
    const totp = locked?.confirmedAt ? locked : undefined
    if (!totp && (await transaction.passkey.count({ where: { userId } })) === 0) return 'none'
    const { passkey, totp_code, recovery_code } = given
    if (passkey) return (await this.passkeys.accept(transaction, userId, passkey)) ? 'passkey' : 'wrong'
    if (totp_code !== undefined)
      return totp && (await this.accept(transaction, totp, totp_code)) ? 'otp' : 'wrong'
    if (recovery_code === undefined) return 'missing'
    if (totp) this.refuseDuringBackoff(totp)
    const right = await this.recoveryCodes.use(transaction, userId, recovery_code)
    // Without an authenticator nothing counts them: 80 random bits cannot be guessed.
    if (totp) await this.count(transaction, totp, right ? {} : undefined)
    return right ? 'recovery' : 'wrong'
  }

  /** Returns whether a locked user has a second factor. */
  async exists(transaction: Transaction, userId: string): Promise<boolean> {
    const totp = await lockTotp(transaction, userId)
    return Boolean(totp?.confirmedAt) || (await transaction.passkey.count({ where: { userId } })) > 0
  }

  /** Deletes the recovery codes of a locked user whose last second factor was removed. */
  async deleteUnusedCodes(transaction: Transaction, userId: string): Promise<void> {
    if (!(await this.exists(transaction, userId)))
      await transaction.recoveryCode.deleteMany({ where: { userId } })
  }

  /**
   * Like {@link prove}, for users who must have a second factor.
   *
   * @returns false if the code was wrong and was counted, so the transaction must be committed
   * @throws OperationError `second_factor_not_found`, `invalid_input`, `rate_limited`
   */
  async require(transaction: Transaction, userId: string, given: GivenCode): Promise<boolean> {
    const proof = await this.prove(transaction, userId, given)
    if (proof === 'none') throw noSecondFactor()
    if (proof === 'missing') throw codeMissing()
    return proof !== 'wrong'
  }

  /**
   * Returns whether a code is valid for a locked authenticator, confirmed or not. The code is used up, or counted.
   *
   * @throws as {@link prove}
   */
  async accept(transaction: Transaction, totp: LockedTotp, code: string): Promise<boolean> {
    this.refuseDuringBackoff(totp)
    const secret = this.secrets.open(totp.userId, totp)
    const lastStep = totpStep(secret, code, this.clock.nowMs(), totp.lastStep)
    const success = { lastStep: lastStep ?? 0, ...this.secrets.renewed(totp.userId, secret, totp) }
    await this.count(transaction, totp, lastStep === undefined ? undefined : success)
    return lastStep !== undefined
  }

  /** Refuses right codes too: otherwise backoff would not slow down guessing. */
  private refuseDuringBackoff({ blockedUntil }: LockedTotp): void {
    const waitMs = (blockedUntil?.getTime() ?? 0) - this.clock.nowMs()
    if (waitMs > 0) throw tooManyCodes(waitMs)
  }

  /** @param success columns to store as well; undefined if the code was wrong */
  private async count(
    transaction: Transaction,
    { userId, failures }: LockedTotp,
    success: Readonly<Prisma.TotpUpdateInput> | undefined,
  ): Promise<void> {
    const waitMs = codeWaitMs(failures + 1)
    const blockedUntil = waitMs === 0 ? null : new Date(this.clock.nowMs() + waitMs)
    await transaction.totp.update({
      where: { userId },
      data: success
        ? { ...success, failures: 0, blockedUntil: null }
        : { failures: failures + 1, blockedUntil },
    })
  }
}
