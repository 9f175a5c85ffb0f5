import { renewRecoveryCodes } from '@bearing/contracts/identity/people/second-factor'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { callingUser } from '../users/calling-user.js'
import { ProveSecondFactor } from './prove-second-factor.js'
import { RecoveryCodes } from './recovery-codes.js'
import { secondFactorInvalid } from './second-factor-errors.js'

@Controller()
export class RenewRecoveryCodes {
  constructor(
    private readonly database: Database,
    private readonly secondFactor: ProveSecondFactor,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly calls: IdempotentCalls,
  ) {}

  @Handle(renewRecoveryCodes)
  async execute(
    input: Input<typeof renewRecoveryCodes>,
    by: Principal,
  ): Promise<Output<typeof renewRecoveryCodes>> {
    const { userId } = callingUser(by)
    const codes = await this.database.transaction((transaction) =>
      this.calls.once(transaction, renewRecoveryCodes, input, by, async () => {
        // Not thrown here: the count of wrong codes must be committed.
        if (!(await this.secondFactor.require(transaction, userId, input))) return undefined
        recordAudit(transaction, by, { action: 'recovery_codes.renewed', target: ['user', userId] })
        return { recovery_codes: await this.recoveryCodes.renew(transaction, userId) }
      }),
    )
    if (!codes) throw secondFactorInvalid()
    return codes
  }
}
