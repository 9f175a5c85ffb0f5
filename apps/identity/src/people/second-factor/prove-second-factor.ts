import type { SessionMethod } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../../ground/database.js'
import type { Prisma } from '../../generated/prisma/client.js'
import { codeWaitMs } from '../../ground/rules/code-backoff.js'
import { totpStep } from '../../ground/rules/totp.js'
import { lockTotp, type LockedTotp } from './lock-totp.js'
import { RecoveryCodes } from './recovery-codes.js'
import { tooManyCodes } from './second-factor-errors.js'
import { TotpSecrets } from './totp-secrets.js'

/** What somebody gives as the second factor. */
export interface GivenCode {
  /** Six digits. */
  readonly totp_code?: string | undefined
  readonly recovery_code?: string | undefined
}

/**
 * How a second factor was proven; or `none` where the user has none, `missing` where no code was given, and `wrong`: that
 * was counted, so the transaction must be committed all the same.
 */
export type Proof = Extract<SessionMethod, 'otp' | 'recovery'> | 'none' | 'missing' | 'wrong'

/** Checks codes of authenticators and recovery codes. */
@Injectable()
export class ProveSecondFactor {
  constructor(
    private readonly secrets: TotpSecrets,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly clock: Clock,
  ) {}

  /** @throws OperationError `rate_limited` after too many wrong codes */
  async prove(transaction: Transaction, userId: string, given: GivenCode): Promise<Proof> {
    const totp = await lockTotp(transaction, userId)
    if (!totp?.confirmedAt) return 'none'
    const { totp_code, recovery_code } = given
    if (totp_code !== undefined) return (await this.accept(transaction, totp, totp_code)) ? 'otp' : 'wrong'
    if (recovery_code === undefined) return 'missing'
    this.refuseWhileBlocked(totp)
    const right = await this.recoveryCodes.use(transaction, userId, recovery_code)
    await this.count(transaction, totp, right ? {} : undefined)
    return right ? 'recovery' : 'wrong'
  }

  /**
   * Whether a code is one of an authenticator that is locked, confirmed or not. It is used up, or counted.
   *
   * @throws as {@link prove}
   */
  async accept(transaction: Transaction, totp: LockedTotp, code: string): Promise<boolean> {
    this.refuseWhileBlocked(totp)
    const secret = this.secrets.open(totp.userId, totp)
    const lastStep = totpStep(secret, code, this.clock.nowMs(), totp.lastStep)
    const success = { lastStep: lastStep ?? 0, ...this.secrets.renewed(totp.userId, secret, totp) }
    await this.count(transaction, totp, lastStep === undefined ? undefined : success)
    return lastStep !== undefined
  }

  /** Also a right code is refused then: else waiting would cost who guesses nothing. */
  private refuseWhileBlocked({ blockedUntil }: LockedTotp): void {
    const waitMs = (blockedUntil?.getTime() ?? 0) - this.clock.nowMs()
    if (waitMs > 0) throw tooManyCodes(waitMs)
  }

  /** @param success what else is to be noted; undefined where the code was wrong */
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
