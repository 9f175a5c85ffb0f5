import { Buffer } from 'node:buffer'
import { RECOVERY_CODE_COUNT } from '@bearing/contracts/identity/second-factor'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import { CheckSecret } from '../../ground/check-secret.js'
import type { Transaction } from '../../ground/database.js'
import { Peppers } from '../../ground/rules/peppers.js'
import {
  RECOVERY_CODE_BYTES,
  formatRecoveryCode,
  normalizeRecoveryCode,
} from '../../ground/rules/recovery-code.js'

/** Makes recovery codes, and uses them up. */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly secret: CheckSecret,
    private readonly peppers: Peppers,
    private readonly randomness: Randomness,
  ) {}

  /** Gives a user new ones, in place of those before. */
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

  /** Uses a code up, under the lock on the user's authenticator. False where it is not one of theirs, or not any more. */
  async use(transaction: Transaction, userId: string, code: string): Promise<boolean> {
    const secret = asSecret(userId, code)
    const rows = await transaction.recoveryCode.findMany({ where: { userId } })
    const found = rows.filter((row) =>
      this.secret.matches(secret, { secretHash: row.codeHash, pepperId: row.pepperId }),
    )
    const [row] = found
    if (!row) return false
    const { count } = await transaction.recoveryCode.deleteMany({ where: { userId, codeHash: row.codeHash } })
    return count === 1
  }
}

function asSecret(userId: string, code: string) {
  return { kind: 'recovery_code', id: userId, secret: Buffer.from(normalizeRecoveryCode(code)) } as const
}
