import { Buffer } from 'node:buffer'
import { RECOVERY_CODE_COUNT } from '@bearing/contracts/identity/people/second-factor'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { CheckSecret } from '../../ground/check-secret.js'
import type { Transaction } from '../../ground/database.js'
import { Peppers } from '../../ground/rules/peppers.js'
import {
  RECOVERY_CODE_BYTES,
  formatRecoveryCode,
  normalizeRecoveryCode,
} from '../../ground/rules/recovery-code.js'

/** Creates and uses recovery codes. */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly secret: CheckSecret,
    private readonly peppers: Peppers,
    private readonly randomness: Randomness,
  ) {}

  /** Replaces the recovery codes of a user. */
  async renew(transaction: Transaction, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
      formatRecoveryCode(this.randomness.bytes(RECOVERY_CODE_BYTES)),
    )
    await transaction.recoveryCode.deleteMany({ where: { userId } })
    await transaction.recoveryCode.createMany({
      data: codes.map((code) => {
        const { secretHash, pepperId } = this.peppers.hash(asSecret(userId, code))
        return { userId, codeHash: secretHash, pepperId }
      }),
    })
    return codes
  }

  /** Uses a code up. @returns false if the user has no such code */
  async use(transaction: Transaction, userId: string, code: string): Promise<boolean> {
    const secret = asSecret(userId, code)
    const rows = await transaction.recoveryCode.findMany({ where: { userId } })
    // All of them, so that the time does not reveal which one it was.
    const [row] = rows.filter(({ codeHash: secretHash, pepperId }) =>
      this.secret.matches(secret, { secretHash, pepperId }),
    )
    if (!row) return false
    const { count } = await transaction.recoveryCode.deleteMany({ where: { userId, codeHash: row.codeHash } })
    return count === 1
  }
}

function asSecret(userId: string, code: string) {
  return { kind: 'recovery_code', id: userId, secret: Buffer.from(normalizeRecoveryCode(code)) } as const
}
